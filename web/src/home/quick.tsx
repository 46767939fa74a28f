// Quick pairing: one click on a time, and the wait is on.
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import * as api from '../api/meet';
import type { Pool } from '../api/meet';
import { controlName } from '../game/clock';
import { me } from '../session';
import { t } from '../text';
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
  return (
    <div class="stack quick">
      <div class="pools">
        {tiles(pools.value, rated).map((tile) => (
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
      <Waiting />
    </div>
  );
}

function PoolTile({ tile, isMine, rated }: { tile: Tile; isMine: boolean; rated: boolean }) {
  const name = controlName(tile.control);
  const kind = tile.variant === 'standard' ? t.speeds[speed(tile.control)] : t.variants[tile.variant];
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
      <strong>{name}</strong>
      <span>{kind}</span>
      <small class={crowd > 0 ? 'crowd' : ''}>
        {crowd > 0 ? t.pairing.waiting(crowd) : tile.wait !== null ? t.pairing.wait(tile.wait) : t.pairing.nobody}
      </small>
    </button>
  );
}

/** Always as high as when something is in it. */
function Waiting() {
  const waiting = search.value;
  return (
    <div class="waiting-line" role="status">
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
        <span class={searchProblem.value ? 'problem' : 'hint'}>{searchProblem.value ?? t.pairing.hint}</span>
      )}
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
