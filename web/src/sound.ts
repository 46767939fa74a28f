// Sounds made on the spot: no files to load.
import { settings } from './settings';

let context: AudioContext | undefined;

/**
 * Browsers allow sound only after the person has touched the page. What would have sounded before is not kept: it
 * would all burst out at the first touch.
 */
function audio(): AudioContext | undefined {
  const { sound, volume } = settings.value;
  if (!sound || volume <= 0 || context?.state !== 'running') return undefined;
  return context;
}

/** The first touch or key allows sound from then on, so that the move it makes is heard. */
export function allowSound(): void {
  if (typeof AudioContext === 'undefined') return;
  const wake = () => {
    context ??= new AudioContext();
    if (context.state === 'suspended') void context.resume();
  };
  for (const kind of ['pointerdown', 'keydown', 'touchend'])
    addEventListener(kind, wake, { capture: true, passive: true });
}

/** Loudness as people hear it grows faster than the number. */
const loud = (loudness: number): number => loudness * (settings.value.volume / 100) ** 2;

/** Wood on wood: a short burst of noise through a narrow filter. */
function knock(at: number, pitch: number, loudness: number): void {
  const ctx = audio();
  if (!ctx) return;
  const seconds = 0.09;
  const buffer = ctx.createBuffer(1, Math.ceil(ctx.sampleRate * seconds), ctx.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < data.length; i++) data[i] = (Math.random() * 2 - 1) * Math.exp((-9 * i) / data.length);
  const noise = ctx.createBufferSource();
  noise.buffer = buffer;
  const filter = ctx.createBiquadFilter();
  filter.type = 'bandpass';
  filter.frequency.value = pitch;
  filter.Q.value = 3;
  const gain = ctx.createGain();
  gain.gain.value = loud(loudness);
  noise.connect(filter).connect(gain).connect(ctx.destination);
  noise.start(ctx.currentTime + at);
}

function tone(at: number, pitch: number, seconds: number, loudness = 0.08): void {
  const ctx = audio();
  if (!ctx) return;
  const start = ctx.currentTime + at;
  const wave = ctx.createOscillator();
  wave.type = 'triangle';
  wave.frequency.value = pitch;
  const gain = ctx.createGain();
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loud(loudness), start + 0.015);
  gain.gain.exponentialRampToValueAtTime(0.00001, start + seconds);
  wave.connect(gain).connect(ctx.destination);
  wave.start(start);
  wave.stop(start + seconds);
}

export const sounds = {
  move: () => knock(0, 900, 0.9),
  capture: () => {
    knock(0, 700, 1);
    knock(0.05, 1_200, 0.7);
  },
  check: () => {
    knock(0, 900, 0.9);
    tone(0.03, 740, 0.18);
  },
  start: () => {
    tone(0, 523, 0.18);
    tone(0.12, 784, 0.3);
  },
  end: () => {
    tone(0, 392, 0.5);
    tone(0.1, 523, 0.5);
    tone(0.2, 659, 0.7);
  },
  low: () => {
    tone(0, 880, 0.08);
    tone(0.14, 880, 0.08);
  },
  notice: () => tone(0, 660, 0.16),
};
