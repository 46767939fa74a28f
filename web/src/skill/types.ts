// The skill match in the words of its own door: the description's types, with the values that each text may have.
import type { components } from '../api/schema';
import type { Color } from '../api/types';

type Schemas = components['schemas'];
type RawPiece = Schemas['ChessPieceSnapshot'];
type RawMove = Schemas['ChessMoveRecordSnapshot'];
type RawSeat = Schemas['OnlineMatchSeat'];
type RawSnapshot = Schemas['OnlineMatchSnapshot'];
type RawEvent = Schemas['OnlineMatchEvent'];

export type Place = Schemas['BoardPosition'];
export type Room = Schemas['RoomView'];

export interface Piece extends RawPiece {
  pieceName: 'king' | 'queen' | 'rook' | 'bishop' | 'knight' | 'pawn';
  pieceColor: Color;
}

export interface MoveRecord extends RawMove {
  pieceName: Piece['pieceName'];
  pieceColor: Color;
}

export interface Seat extends RawSeat {
  color: Color;
}

export interface Snapshot extends RawSnapshot {
  phase: 'waitingForPlayers' | 'drafting' | 'active' | 'finished';
  seats: Seat[];
  board: { pieces: Piece[]; moveHistory: MoveRecord[] };
  currentTurn: Color;
  drawOfferedBy?: Color | null;
}

export interface MatchEvent extends RawEvent {
  type: 'snapshot' | 'actionAccepted' | 'actionRejected' | 'presenceChanged' | 'finished';
  snapshot: Snapshot;
}

export const SKILLS = ['shadowstep', 'knightfall', 'deadeye'] as const;
