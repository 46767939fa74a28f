// What players are rated in: speeds of standard chess, and the other variants.
import { t } from '../text';

export const POOLS = [
  'bullet',
  'blitz',
  'rapid',
  'classical',
  'correspondence',
  'ultra_bullet',
  'chess960',
  'crazyhouse',
  'antichess',
  'atomic',
  'horde',
  'king_of_the_hill',
  'racing_kings',
  'three_check',
];

export const poolName = (pool: string): string => t.speeds[pool] ?? t.variants[pool] ?? pool;
