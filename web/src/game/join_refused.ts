// Why a link or a code does not lead into a game.
import { ApiError } from '../api/http';

/**
 * `used`: somebody else has the seat, or nothing waits there; `withdrawn`: the game is off; `own`: it is ours and waits;
 * `account`: it is not for guests. Anything else may be otherwise in a moment.
 */
export type Refused = 'used' | 'withdrawn' | 'own' | 'account' | 'other';

const CODES: Record<string, Refused> = {
  link_used: 'used',
  game_not_found: 'used',
  link_cancelled: 'withdrawn',
  own_game: 'own',
  not_allowed: 'account',
};

export const refused = (error: unknown): Refused => (error instanceof ApiError && CODES[error.code]) || 'other';

/** The game that a link names beside its code, so that whoever comes late is told what became of it. */
export function gameNamed(query: string): string | null {
  const id = new URLSearchParams(query).get('game') ?? '';
  return /^[A-Za-z0-9]{8}$/.test(id) ? id : null;
}

export const joinPath = (code: string, game: string): string =>
  `/join/${encodeURIComponent(code)}?game=${encodeURIComponent(game)}`;
