// The skill match as its own door tells it.
import type { Color } from '../api/types';

export interface Place {
  row: number;
  column: number;
}

export interface EquippedSkill {
  id: string;
  skillID: string;
  hasBeenUsed: boolean;
}

export interface Piece {
  id: string;
  pieceName: 'king' | 'queen' | 'rook' | 'bishop' | 'knight' | 'pawn';
  pieceColor: Color;
  behaviourID: string;
  position: Place;
  moveCount: number;
  equippedSkills: EquippedSkill[];
}

export interface MoveRecord {
  id: string;
  pieceName: Piece['pieceName'];
  pieceColor: Color;
  from: Place;
  to: Place;
  capturedPieceName: string | null;
  promotionPieceName: string | null;
  skillID: string | null;
}

export interface Seat {
  color: Color;
  player: { id: string; displayName: string; createdAt: string };
  isHost: boolean;
  /** The seat of whoever asked. */
  isLocalDevice: boolean;
  isReady: boolean;
  connectionStatus: 'invited' | 'connected' | 'disconnected';
}

export interface Selection {
  color: Color;
  skillID: string;
  position: Place | null;
  isLockedIn: boolean;
}

export interface Snapshot {
  id: string;
  roomCode: string;
  revision: number;
  phase: 'waitingForPlayers' | 'drafting' | 'active' | 'finished';
  seats: Seat[];
  draft: { maxSkillsPerPlayer: number; selections: Selection[] };
  board: { pieces: Piece[]; moveHistory: MoveRecord[] };
  currentTurn: Color;
  status: {
    kind: 'active' | 'checkmate' | 'stalemate';
    turn: Color | null;
    inCheck: boolean | null;
    winner: Color | null;
  };
  outcome: { kind: string; winner: Color | null } | null;
}

export interface MatchEvent {
  type: 'snapshot' | 'actionAccepted' | 'actionRejected' | 'presenceChanged' | 'finished';
  revision: number;
  rejectionReason: string | null;
  snapshot: Snapshot;
}

export interface Room {
  id: string;
  roomCode: string;
  host: { displayName: string };
}

export const SKILLS = ['shadowstep', 'knightfall', 'deadeye'] as const;
