import type { Reporter, TestCase } from 'vitest/node';

/** Names each test that failed first and passed when tried again, for `scripts/test` to repeat at the end. */
export default class Unsteady implements Reporter {
  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) console.log(`unsteady: ${test.module.relativeModuleId} > ${test.fullName}`);
  }
}
