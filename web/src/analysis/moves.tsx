// The moves with their variations, and how the server judged them.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../text';
import { GLYPHS } from './evaluation';
import type { Study } from './study';
import { numbered, type Place } from './tree';

export function MoveTree({ study }: { study: Study }) {
  const list = useRef<HTMLDivElement>(null);
  void study.revision.value;
  const place = study.place.value;
  useEffect(() => {
    const box = list.current;
    const at = box?.querySelector<HTMLElement>('[aria-current]');
    if (!box) return;
    if (!at) box.scrollTop = 0;
    else if (at.offsetTop < box.scrollTop || at.offsetTop + at.offsetHeight > box.scrollTop + box.clientHeight)
      box.scrollTop = at.offsetTop - box.clientHeight / 2;
  }, [place]);
  const root = study.root.value;
  return (
    <section class="card tree" aria-label={t.moves.label}>
      <div class="tree-moves" ref={list} tabIndex={0} role="group" aria-label={t.moves.label}>
        {root.children.length === 0 ? <p class="hint">{t.analysis.noMoves}</p> : <Line study={study} from={root} />}
      </div>
      <div class="steps">
        <Step label={t.actions.first} sign="«" act={() => study.first()} off={place.parent === null} />
        <Step label={t.actions.previous} sign="‹" act={() => study.step(-1)} off={place.parent === null} />
        <Step label={t.actions.next} sign="›" act={() => study.step(1)} off={place.children.length === 0} />
        <Step label={t.actions.last} sign="»" act={() => study.last()} off={place.children.length === 0} />
        <Step label={t.actions.flip} sign="⇅" act={() => (study.flipped.value = !study.flipped.value)} />
      </div>
    </section>
  );
}

/** The main line after a place; what else was tried stands behind the move it replaces. */
function Line({ study, from }: { study: Study; from: Place }) {
  const parts: ComponentChildren[] = [];
  let isFirst = true;
  for (let at: Place = from; at.children[0]; at = at.children[0]) {
    const [main, ...others] = at.children as [Place, ...Place[]];
    parts.push(<Move key={main.path} study={study} place={main} isFirst={isFirst} />);
    isFirst = others.length > 0;
    for (const other of others) {
      parts.push(
        <span key={`${other.path} variation`} class="variation">
          <Move study={study} place={other} isFirst />
          <Line study={study} from={other} />
        </span>,
      );
    }
  }
  return <>{parts}</>;
}

function Move({ study, place, isFirst }: { study: Study; place: Place; isFirst: boolean }) {
  const judgement = study.found(place)?.judgement;
  const note = study.marks.value.notes[place.path];
  const count = numbered(place, isFirst);
  return (
    <>
      <button
        type="button"
        class={`ply ${judgement ?? ''}`}
        aria-current={study.place.value === place ? 'true' : undefined}
        onClick={() => study.show(place)}
      >
        {count && <span class="number">{count}</span>}
        {place.san}
        {judgement && (
          <>
            <span aria-hidden="true">{GLYPHS[judgement]}</span>
            <span class="unseen"> {t.analysis.judgements[judgement]}</span>
          </>
        )}
      </button>
      {note && <span class="tree-note">{note}</span>}
    </>
  );
}

function Step({ label, sign, act, off }: { label: string; sign: string; act(): void; off?: boolean }) {
  // Not disabled: two clicks at one spot must hit the same thing.
  return (
    <button type="button" class="quiet" aria-label={label} title={label} aria-disabled={off} onClick={act}>
      <span aria-hidden="true">{sign}</span>
    </button>
  );
}
