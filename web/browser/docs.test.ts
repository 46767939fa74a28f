import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, Person, POLL, Server } from './world';

let browser: Browser;
let server: Server;
beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), Server.start()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

interface Description {
  paths: Record<string, Record<string, { tags: string[]; operationId?: string }>>;
}

describe('the page of the API', () => {
  it('shows every call, and makes one, under the policy of all pages', async () => {
    const ann = await Person.arrive(browser, server);
    const strangers: string[] = [];
    ann.page.on('request', (request) => {
      if (!request.url().startsWith(server.url) && !request.url().startsWith('data:')) strangers.push(request.url());
    });
    const answer = (await ann.page.goto('/docs'))!;
    const home = await fetch(server.url);
    expect(answer.headers()['content-security-policy']).toBe(home.headers.get('content-security-policy'));

    const description = await server.json<Description>('/v1/openapi.json');
    const calls = Object.values(description.paths).flatMap((path) => Object.values(path));
    // Of so many only those that are near are on the page: whoever scrolls sees each.
    const seen = new Set<string>();
    const scrolls = async () => {
      const there = await ann.page.locator('.opblock').evaluateAll((all) => all.map((one) => one.id));
      there.forEach((id) => seen.add(id));
      await ann.page.mouse.wheel(0, 200);
      return seen.size;
    };
    await expect.poll(scrolls, { ...POLL, timeout: 60_000 }).toBe(calls.length);
    await ann.page.mouse.wheel(0, -100_000);
    await ann.page.getByRole('heading', { name: 'The rules of play' }).waitFor();
    expect(await ann.page.getByRole('link', { name: '/v1/asyncapi.json' }).getAttribute('href')).toBe(
      '/v1/asyncapi.json',
    );

    const { token, account } = await server.post<{ token: string; account: { name: string } }>('/v1/guests', {});
    await ann.page.getByRole('button', { name: 'Authorize' }).click();
    await ann.page.getByRole('textbox').fill(token);
    await ann.page.getByRole('button', { name: 'Apply credentials' }).click();
    await ann.page.getByRole('button', { name: 'Close' }).first().click();
    const call = ann.page.locator('.opblock-get', { has: ann.page.locator('[data-path="/v1/me"]') });
    await expect.poll(async () => (await call.count()) || (await ann.page.mouse.wheel(0, 100)), POLL).toBe(1);
    await call.locator('.opblock-summary-control').click();
    await call.getByRole('button', { name: 'Try it out' }).click();
    await call.getByRole('button', { name: 'Execute' }).click();
    const body = call.locator('.live-responses-table .response .response-col_description');
    await expect.poll(() => body.innerText(), POLL).toContain(account.name);

    expect(ann.complaints).toEqual([]);
    expect(strangers).toEqual([]);
    await ann.leave();
  });

  it('has no serious problem for anyone, in the light or in the dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const ann = await Person.arrive(browser, server, { colorScheme });
      await ann.page.goto('/docs');
      await ann.page.locator('.opblock').first().waitFor();
      expect(await ann.flaws(), colorScheme).toEqual([]);
      await ann.leave();
    }
  });
});
