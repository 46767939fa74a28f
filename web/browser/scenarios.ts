// What people do in every browser. Who does it is somebody at a page: in Chromium a `Person`, in Firefox a `Reader`.
import { expect } from 'vitest';

export interface Someone {
  open(path: string): Promise<void>;
  /** Waits until something like that is in sight, with that text in it. */
  sees(what: string, text?: string | RegExp): Promise<void>;
  /** Presses the first such thing as soon as it can be pressed. */
  press(what: string, text?: string): Promise<void>;
  write(field: string, text: string): Promise<void>;
  key(name: string): Promise<void>;
  /** Whether it is on the page now. */
  has(what: string): Promise<boolean>;
  path(): string;
  drag(from: string, to: string): Promise<void>;
  atPly(ply: number): Promise<void>;
}

/** Two at the first page press the same time, are paired, and play. */
export async function meetByPool(ann: Someone, bob: Someone): Promise<void> {
  await ann.press('.pool', '3+2');
  await ann.sees('.waiting-line', 'Looking for an opponent, 3+2');
  // He sees that somebody waits. To load the page anew does not end her wait.
  await bob.sees('.pool', /3\+2.*1 waiting/s);
  await ann.open('/');
  await ann.sees('.waiting-line', 'Looking for an opponent, 3+2');
  await bob.press('.pool', '3+2');
  for (const person of [ann, bob]) await person.sees('.game[data-state=ACTIVE]');
  expect(ann.path()).toBe(bob.path());
  const [white, black] = (await ann.has('.cg-wrap.orientation-white')) ? [ann, bob] : [bob, ann];
  await white.drag('e2', 'e4');
  for (const person of [ann, bob]) await person.atPly(1);
  await black.drag('e7', 'e5');
  for (const person of [ann, bob]) await person.atPly(2);
}

/** A guest who has White in a game that has just begun registers, keeps the seat, and plays on. */
export async function registerInMidGame(gus: Someone, hal: Someone, name: string): Promise<void> {
  await gus.drag('e2', 'e4');
  for (const person of [gus, hal]) await person.atPly(1);
  await gus.press('header button', 'Sign in');
  await gus.press('dialog button', 'No account yet? Register');
  await gus.sees('dialog', 'Your games come along');
  await gus.write('dialog input[name=username]', name);
  await gus.write('dialog input[name=password]', `password of ${name}`);
  await gus.key('Enter');
  await gus.sees('header .name', name);
  for (const person of [gus, hal]) await person.sees('.player.white', name);
  await hal.drag('e7', 'e5');
  for (const person of [gus, hal]) await person.atPly(2);
  await gus.drag('g1', 'f3');
  for (const person of [gus, hal]) await person.atPly(3);
}

/** Somebody whose browser asks for German begins a game in it, and changes to English. */
export async function speakGerman(ann: Someone): Promise<void> {
  await ann.open('/');
  await ann.sees('h2', 'Offene Partien');
  await ann.sees('html[lang=de]');
  await ann.press('[role=tab]', 'Computer');
  await ann.sees('.level', 'etwa 2.400');
  await ann.press('.time', '3 Tage');
  await ann.press('.side-white');
  await ann.press('button', 'Gegen den Computer spielen');
  await ann.sees('.game[data-state=ACTIVE]');
  await ann.sees('.terms', '3 Tage');
  await ann.sees('.said', 'Du bist am Zug');
  await ann.press('header button[aria-label=Einstellungen]');
  await ann.press('.segment', 'English');
  await ann.sees('.said', 'Your move');
  await ann.sees('html[lang=en]');
}
