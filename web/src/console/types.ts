// What the operator's calls answer.
import type { components } from '../api/schema';

type Schemas = components['schemas'];

export type Report = Schemas['Report'];
export type AuditEntry = Schemas['Entry'];
export type Delivery = Schemas['Delivery'];

export interface Figure {
  at: string;
  games: number;
  games_timed: number;
  moves_per_second: number;
  changes_per_second: number;
  move_p50_ms: number | null;
  move_p99_ms: number | null;
  commit_p50_ms: number | null;
  commit_p99_ms: number | null;
  connections: number;
  streams: number;
  nodes: number;
  tickets_waiting: number;
  store_waiting: number;
  bot_questions_waiting: number;
  deliveries_waiting: number;
  notifications_waiting_seconds: number;
  memory_bytes: number | null;
  cpu_percent: number | null;
}

export interface Figures {
  node: string;
  every_seconds: number;
  /** Those there are, where a store is shared. */
  nodes?: { id: string; name: string; is_this: boolean }[];
  history: Figure[];
  latest: Figure | null;
}

export interface Person {
  id: string;
  name: string;
  kind: string;
  title: string | null;
  email: string | null;
  is_admin: boolean;
  created_at: string;
  barred_at: string | null;
  deleted_at: string | null;
}

export interface Sanction {
  kind: 'mute' | 'bar_rated';
  until: string | null;
  why: string;
  by: string;
  at: string;
}

export interface Webhook {
  id: number;
  url: string;
  events: string[];
  all_games: boolean;
  created_at: string;
  account?: string;
}
