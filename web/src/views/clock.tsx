// A clock that runs smoothly between the server's messages.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Color } from '../api/types';
import { left, localMs, written, type Face, type ServerTime } from '../game/clock';
import { sounds } from '../sound';
import { t } from '../text';

const LOW_MS = 15_000;

interface Props {
  face: Face;
  color: Color;
  time: ServerTime;
  /** Our own clock warns. */
  warn?: boolean;
  /** Without a word for screen readers. */
  quiet?: boolean;
}

// One timer for all clocks of the page.
const beat = signal(0);
let shown = 0;
let timer: ReturnType<typeof setInterval> | undefined;

function useBeat(): void {
  useEffect(() => {
    if (shown++ === 0) timer = setInterval(() => document.visibilityState === 'visible' && beat.value++, 90);
    return () => void (--shown === 0 && clearInterval(timer));
  }, []);
}

export function ClockFace({ face, color, time, warn, quiet }: Props) {
  useBeat();
  const warned = useRef(false);
  const runs = face.running === color;
  if (runs) void beat.value;
  const ms = left(face, color, time.at(localMs()));
  const isLow = ms < LOW_MS && runs;
  if (ms > LOW_MS) warned.current = false;
  else if (warn && isLow && !warned.current) {
    warned.current = true;
    sounds.low();
  }
  const label = quiet ? undefined : `${color === 'white' ? t.game.white : t.game.black} ${written(ms)}`;
  return (
    <span
      class={`clock ${runs ? 'runs' : ''} ${isLow ? 'low' : ''}`}
      role={quiet ? undefined : 'timer'}
      aria-label={label}
      data-ms={Math.round(ms)}
    >
      {written(ms)}
    </span>
  );
}
