// Moves and commands over the socket while one is open, by POST otherwise. Both may be repeated without harm: a move has
// its ply, a command its key. So what the socket leaves unanswered is asked once more by POST.
import { ApiError, type ErrorBody } from '../api/http';
import type { Game, MoveAnswer } from '../api/types';

/** What the server says to something that was asked over the socket. */
export type Answer =
  | ({ type: 'ACK'; id: number; game_id: string } & (MoveAnswer | { game: Game }))
  | ({ type: 'REFUSED'; id: number; game_id?: string | null; status: number } & ErrorBody);

export interface Command {
  readonly do: string;
  readonly key: string;
}

/** As long as the socket itself bears silence. */
const ANSWER_MS = 5_000;

export class Asking {
  private asked = 0;
  private readonly waiting = new Map<number, (answer: Answer | null) => void>();

  /** `send` says whether there is a socket that took it. */
  constructor(private readonly send: (message: object) => boolean) {}

  async move(move: object, post: () => Promise<MoveAnswer>): Promise<MoveAnswer> {
    const done = await this.ask({ type: 'MOVE', ...move });
    return done ? (done as MoveAnswer) : post();
  }

  async command(command: Command, post: () => Promise<Game>): Promise<Game> {
    const done = await this.ask({ type: 'COMMAND', ...command });
    return done ? (done as { game: Game }).game : post();
  }

  hear(answer: Answer): void {
    this.waiting.get(answer.id)?.(answer);
  }

  /** The socket is gone: nothing that was asked over it will be answered. */
  lost(): void {
    for (const done of [...this.waiting.values()]) done(null);
  }

  /** What was accepted; null if the socket does not answer. A refusal is thrown, as by the POST. */
  private async ask(message: object): Promise<MoveAnswer | { game: Game } | null> {
    const answer = await this.answer(message);
    if (answer?.type !== 'REFUSED') return answer;
    const { type: _type, id: _id, game_id: _game, status, ...body } = answer;
    throw new ApiError(status, body);
  }

  private answer(message: object): Promise<Answer | null> {
    const id = ++this.asked;
    return new Promise((done) => {
      if (!this.send({ ...message, id })) return done(null);
      const late = setTimeout(() => settle(null), ANSWER_MS);
      const settle = (answer: Answer | null) => {
        clearTimeout(late);
        this.waiting.delete(id);
        done(answer);
      };
      this.waiting.set(id, settle);
    });
  }
}
