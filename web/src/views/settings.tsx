// How the page looks, sounds and behaves.
import { signal } from '@preact/signals';
import { BOARDS, change, PIECES, settings, THEMES, type Settings } from '../settings';
import { t } from '../text';
import { Dialog } from './dialog';

const open = signal(false);
export const openSettings = (): void => void (open.value = true);

type Switch = 'sound' | 'coordinates' | 'dots' | 'animation' | 'confirmMoves' | 'textBoard';
const SWITCHES: Switch[] = ['sound', 'coordinates', 'dots', 'animation', 'confirmMoves', 'textBoard'];

export function SettingsDialog() {
  return (
    <Dialog open={open} title={t.settings.heading}>
      <div class="stack">
        <Choice name="theme" label={t.settings.theme} options={THEMES} text={t.settings.themes} />
        <Choice name="board" label={t.settings.board} options={BOARDS} text={t.settings.boards} />
        <Choice name="pieces" label={t.settings.pieces} options={PIECES} text={t.settings.pieceSets} />
        {SWITCHES.map((name) => (
          <label key={name} class="switch">
            <input
              type="checkbox"
              checked={settings.value[name]}
              onChange={(event) => change({ [name]: event.currentTarget.checked })}
            />
            {t.settings[name]}
          </label>
        ))}
      </div>
    </Dialog>
  );
}

interface ChoiceProps<K extends 'theme' | 'board' | 'pieces'> {
  name: K;
  label: string;
  options: readonly Settings[K][];
  text: Record<string, string>;
}

function Choice<K extends 'theme' | 'board' | 'pieces'>({ name, label, options, text }: ChoiceProps<K>) {
  return (
    <fieldset class="segments">
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option} class={`segment ${name}-${option}`}>
          <input
            type="radio"
            name={name}
            checked={settings.value[name] === option}
            onChange={() => change({ [name]: option })}
          />
          <span>{text[option]}</span>
        </label>
      ))}
    </fieldset>
  );
}
