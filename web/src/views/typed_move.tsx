// Moving by keyboard: type a move as it is written.
import { useState } from 'preact/hooks';
import { announce } from '../announce';
import { position, typed } from '../game/line';
import { t } from '../text';
import type { Screen } from './game';

export function TypedMove({ screen: { room, hand } }: { screen: Screen }) {
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const text = String(new FormData(form).get('move')).trim();
    const game = room.game.value!;
    const pos = position(game.variant, game.fen);
    const isMine = game.to_move === room.myColor.value && !room.pending.value;
    const move = pos && isMine ? typed(pos, text) : null;
    if (!move) {
      const why = isMine ? t.moves.illegal : t.moves.notYourTurn;
      setProblem(why);
      announce(why);
      return;
    }
    setProblem(null);
    form.reset();
    hand.play(move);
  };
  return (
    <form class="row typed" onSubmit={submit}>
      <input
        name="move"
        aria-label={`${t.moves.typed}: ${t.moves.typedHint}`}
        placeholder={t.moves.typedShort}
        autocomplete="off"
        spellcheck={false}
        autocapitalize="off"
        aria-invalid={problem ? 'true' : undefined}
        onInput={() => setProblem(null)}
      />
      <button type="submit">{t.moves.play}</button>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
