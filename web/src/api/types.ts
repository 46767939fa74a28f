// The server's own words, from its description (schema.d.ts is generated), and the messages of its streams.
import type { components } from './schema';

type Schemas = components['schemas'];

export type Color = 'white' | 'black';
export type Game = Schemas['GameView'];
/** `display_name`: what a guest wants to be called. */
export type Account = Schemas['Account'] & { display_name?: string | null };
export type MoveAnswer = Schemas['MoveAnswer'];
export type TimeControl = Schemas['TimeControlJson'];
export type GamePage = Schemas['GamePage'];
export type Clocks = { white: number; black: number };

export interface Seat {
  name: string;
  title: string | null;
  online: boolean;
  /** When the opponent may claim the win. */
  claim_at?: string | null;
}

export interface Presence {
  white: Seat | null;
  black: Seat | null;
  spectators: number;
  /** Those of them who agreed to be seen, if we may know. */
  observers?: Observer[];
}

export interface Observer {
  id: string;
  name: string;
  title: string | null;
}

export type Role = 'player' | 'observer' | 'moderator';
export type Audience = 'room' | 'observers';

export interface ChatLine {
  id: string;
  from: string;
  role: Role;
  title: string | null;
  text: string;
  audience: Audience;
  at: string;
}

interface Envelope {
  game_id: string;
  version?: number;
}

interface Clocked {
  clock_ms?: Clocks | null;
  clock_at?: string;
}

export type Offer = 'draw' | 'takeback' | 'pause';

/** What a game's stream says. Types that are not listed here are met by asking for the whole game. */
export type Message = Envelope &
  (
    | ({ type: 'STATE'; role: Role; presence: Presence; chat: ChatLine[]; resync?: boolean } & Game)
    | ({
        type: 'SYNC';
        role: Role;
        presence: Presence;
        offers: Record<Offer, string | null>;
        resume_by: string[];
        version: number;
      } & Clocked)
    | ({
        type: 'MOVE';
        ply: number;
        color: Color;
        move: string;
        san: string;
        fen: string;
        to_move: Color;
        check: boolean;
      } & Clocked)
    | ({ type: 'CLOCK' } & Clocked)
    | ({ type: 'GAME_OVER'; state: string; result: string; reason: string; winner: Color | null } & Clocked)
    | { type: 'OFFER' | 'OFFER_DECLINED'; offer: Offer; by: Color }
    | ({ type: 'TIME_ADDED' | 'TIME_CREDITED' | 'CLOCK_SET'; color?: Color; ms?: number } & Clocked)
    | ({ type: 'CHAT' } & ChatLine)
    | {
        type: 'PRESENCE';
        name?: string;
        color?: Color;
        title?: string | null;
        online?: boolean;
        claim_at?: string | null;
        spectators?: number;
        observers?: Observer[];
      }
    | { type: 'REMATCH'; of?: string; by?: string; accepted?: boolean }
    | { type: 'ERROR'; error: string; detail: string }
    | { type: 'PONG'; id: number }
    | { type: 'STARTED' | 'TAKEBACK' | 'PAUSED' | 'RESUMED' | 'RESUME_ASKED' | 'ILLEGAL_ATTEMPT' | 'INVITED' }
  );
