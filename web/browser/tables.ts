// Games that are there already: made over the API, opened on pages that know who they are.
import type { Person, Server } from './world';

export interface Known {
  person: Person;
  token: string;
  id: string;
}

interface Guest {
  token: string;
  account: { id: string };
}

export const guest = (server: Server): Promise<Guest> => server.post<Guest>('/v1/guests', {});

/** A person whose page plays as a guest of whom the test has the token. */
export async function known(person: Person): Promise<Known> {
  const session = await guest(person.server);
  await person.page.addInitScript((text) => localStorage.setItem('arbiter.session', text), JSON.stringify(session));
  return { person, token: session.token, id: session.account.id };
}

/** An opponent without a page. */
export class Opponent {
  private constructor(
    private readonly server: Server,
    readonly token: string,
    readonly id: string,
    readonly game: string,
  ) {}

  /** Begins a game against that person, who has White, and opens it. */
  static async of({ person, token }: Known, terms: object = {}): Promise<Opponent> {
    const { server } = person;
    const me = await guest(server);
    const game = await server.post<{ id: string }>(
      '/v1/games',
      { time_control: { initial_seconds: 600, increment_seconds: 0 }, color: 'black', ...terms },
      me.token,
    );
    await server.post(`/v1/games/${game.id}/join`, {}, token);
    await person.page.goto(`/game/${game.id}`);
    await person.page.locator('.game[data-state=ACTIVE] [data-connection=open]').waitFor();
    return new Opponent(server, me.token, me.account.id, game.id);
  }

  tell(what: string, body: object = {}): Promise<unknown> {
    return this.server.post(`/v1/games/${this.game}/${what}`, body, this.token);
  }

  move(move: string): Promise<unknown> {
    return this.tell('moves', { move });
  }
}
