// Quick pairing: one click on a time, and the wait is on.
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import * as api from '../api/meet';
import type { Pool } from '../api/meet';
import { controlName } from '../game/clock';
import { me } from '../session';
import { t } from '../text';
import { useResting, useSettled } from '../views/act';
import { speed, tiles, type Tile } from './grid';
import { isEntering, look, resume, search, searchProblem, stop } from './pairing';

const pools = signal<Pool[]>([]);
const wantsRated = signal(true);
const EVERY_MS = 3_000;

function usePools(): void {
  useEffect(() => {
    const again = () =>
      void api.pools().then(
        (found) => (pools.value = found.pools),
        () => undefined,
      );
    again();
    void resume();
    const timer = setInterval(() => document.visibilityState === 'visible' && again(), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
}

export function QuickPairing() {
  usePools();
  const account = me();
  const mayRate = account !== null && !account.guest;
  const rated = mayRate && wantsRated.value;
  const mine = search.value && `${search.value.variant} ${controlName(search.value.time_control)}`;
  const { liked, others } = tiles(pools.value, rated);
  return (
    <div class="stack quick">
      <div class="pools">
        {liked.map((tile) => (
          <PoolTile key={tile.key} tile={tile} isMine={tile.key === mine} rated={rated} />
        ))}
      </div>
      <label class="switch" title={mayRate ? undefined : t.pairing.ratedHint}>
        <input
          type="checkbox"
          checked={rated}
          disabled={!mayRate || search.value !== null}
          onChange={(e) => (wantsRated.value = e.currentTarget.checked)}
        />
        {mayRate ? t.pairing.rated : t.pairing.ratedHint}
      </label>
      <Waiting others={others} rated={rated} />
    </div>
  );
}

const kindOf = (tile: Tile): string =>
  (tile.variant === 'standard' ? t.speeds[speed(tile.control)] : t.variants[tile.variant]) ?? tile.variant;

function PoolTile({ tile, isMine, rated }: { tile: Tile; isMine: boolean; rated: boolean }) {
  const press = () => void (isMine ? stop() : look({ time_control: tile.control, variant: tile.variant, rated }));
  const crowd = tile.waiting - (isMine && tile.waiting > 0 ? 1 : 0);
  return (
    <button
      type="button"
      class={`pool ${isMine ? 'mine' : ''}`}
      aria-pressed={isMine}
      disabled={isEntering.value}
      onClick={press}
    >
      <strong>{controlName(tile.control)}</strong>
      <span>{kindOf(tile)}</span>
      <small class={crowd > 0 ? 'crowd' : ''}>
        {crowd > 0 ? t.pairing.waiting(crowd) : tile.wait !== null ? t.pairing.wait(tile.wait) : t.pairing.nobody}
      </small>
    </button>
  );
}

interface WaitingProps {
  others: Tile[];
  rated: boolean;
}

/** Always as high as when something is in it: our own wait, what went wrong, or who else waits. */
function Waiting({ others, rated }: WaitingProps) {
  const waiting = search.value;
  const hasOthers = !waiting && !searchProblem.value && others.length > 0;
  return (
    <div class="waiting-line">
      <div class="wait-state" role="status">
        {waiting ? (
          <>
            <span class="pulse" aria-hidden="true" />
            <span class="words">
              {t.pairing.looking(controlName(waiting.time_control))} <Elapsed since={Date.parse(waiting.since)} />
              <small>{estimate(waiting.estimated_wait_seconds)}</small>
            </span>
            <button type="button" onClick={() => void stop()}>
              {t.pairing.cancel}
            </button>
          </>
        ) : (
          !hasOthers && (
            <span class={searchProblem.value ? 'problem' : 'hint'}>{searchProblem.value ?? t.pairing.hint}</span>
          )
        )}
      </div>
      {hasOthers && <Others others={others} rated={rated} />}
    </div>
  );
}

/** Whoever waits for something that has no tile. */
function Others({ others, rated }: WaitingProps) {
  const isSettled = useSettled();
  const isResting = useResting(others.map(({ key }) => key).join());
  return (
    <div class="others">
      {others.map((tile) => (
        <button
          key={tile.key}
          type="button"
          disabled={!isSettled || isResting || isEntering.value}
          onClick={() => void look({ time_control: tile.control, variant: tile.variant, rated })}
        >
          <span>
            <strong>{controlName(tile.control)}</strong> {kindOf(tile)}
          </span>
          <small class="crowd">{t.pairing.waiting(tile.waiting)}</small>
        </button>
      ))}
    </div>
  );
}

const estimate = (seconds: number | null | undefined): string =>
  seconds === null || seconds === undefined ? t.pairing.noEstimate : t.pairing.estimate(seconds);

function Elapsed({ since }: { since: number }) {
  const [start] = useState(() => Math.min(Date.now(), since));
  const [now, tick] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => tick(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.floor((now - start) / 1_000));
  return (
    <time aria-hidden="true">
      {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
    </time>
  );
}
