// Guests who were here before somebody signed in. Their seats and games wait until it is said what becomes of them.
import type { Session } from './session';

export interface Left {
  readonly guest: Session;
  /** Whoever signed in then: nobody else who uses this browser is offered the games. */
  readonly by: string;
}

/** More than anybody leaves behind without an answer. */
const LEFT_MAX = 10;

export const leave = (all: readonly Left[], guest: Session, by: string): Left[] =>
  [...forget(all, guest), { guest, by }].slice(-LEFT_MAX);

/** The answer was given, or there is nothing to ask. */
export const forget = (all: readonly Left[], guest: Session): Left[] =>
  all.filter((left) => left.guest.token !== guest.token);

export const leftFor = (all: readonly Left[], id: string | undefined): Session[] =>
  all.filter(({ by }) => by === id).map(({ guest }) => guest);
