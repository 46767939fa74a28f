// How the page looks, sounds and behaves.
import { signal } from '@preact/signals';
import { BOARDS, change, PIECES, settings, THEMES, type Settings } from '../settings';
import { sounds } from '../sound';
import { LANGUAGE_NAMES, t } from '../text';
import { Dialog } from './dialog';

const open = signal(false);
export const openSettings = (): void => void (open.value = true);

type Switch = Exclude<{ [K in keyof Settings]: Settings[K] extends boolean ? K : never }[keyof Settings], 'sound'>;
const SWITCHES: (() => [Switch, string])[] = [
  () => ['coordinates', t.settings.coordinates],
  () => ['dots', t.settings.dots],
  () => ['animation', t.settings.animation],
  () => ['confirmMoves', t.settings.confirmMoves],
  () => ['confirmSlow', t.looks.confirmSlow],
  () => ['alwaysQueen', t.looks.alwaysQueen],
  () => ['zen', t.looks.zen],
  () => ['textBoard', t.settings.textBoard],
];

export function SettingsDialog() {
  return (
    <Dialog open={open} title={t.settings.heading}>
      <div class="stack">
        <Choice
          name="language"
          label={t.settings.language}
          options={['auto', ...LANGUAGE_NAMES]}
          text={t.settings.languages}
        />
        <Choice name="theme" label={t.settings.theme} options={THEMES} text={t.settings.themes} />
        <Choice
          name="board"
          label={t.settings.board}
          options={BOARDS}
          text={{ ...t.settings.boards, ...t.looks.boards }}
        />
        <Choice
          name="pieces"
          label={t.settings.pieces}
          options={PIECES}
          text={{ ...t.settings.pieceSets, ...t.looks.pieceSets }}
        />
        <Sound />
        {SWITCHES.map((one) => {
          const [name, label] = one();
          return (
            <label key={name} class="switch">
              <input
                type="checkbox"
                checked={settings.value[name]}
                onChange={(event) => change({ [name]: event.currentTarget.checked })}
              />
              {label}
            </label>
          );
        })}
      </div>
    </Dialog>
  );
}

function Sound() {
  const { sound, volume } = settings.value;
  return (
    <div class="sound-choice">
      <label class="switch">
        <input type="checkbox" checked={sound} onChange={(event) => change({ sound: event.currentTarget.checked })} />
        {t.settings.sound}
      </label>
      <input
        type="range"
        min="0"
        max="100"
        step="5"
        aria-label={t.looks.volume}
        disabled={!sound}
        value={volume}
        onInput={(event) => change({ volume: event.currentTarget.valueAsNumber })}
        onChange={() => sounds.move()}
      />
    </div>
  );
}

type Chosen = 'language' | 'theme' | 'board' | 'pieces';

interface ChoiceProps<K extends Chosen> {
  name: K;
  label: string;
  options: readonly Settings[K][];
  text: { readonly [name: string]: string | undefined };
}

function Choice<K extends Chosen>({ name, label, options, text }: ChoiceProps<K>) {
  return (
    <fieldset class={`segments ${options.length > 4 ? 'many' : ''}`}>
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
