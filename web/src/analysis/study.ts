// One analysis on the screen: the tree, the place that is shown, notes and arrows, what the server found.
import type { DrawShape } from '@lichess-org/chessground/draw';
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { announce } from '../announce';
import type { Color, Game } from '../api/types';
import { t } from '../text';
import type { AnalysedMove, Report } from './evaluation';
import { keep, recall } from './kept';
import { add, branchOf, find, follow, lastOf, leaves, mainLine, promote, remove, rootOf, type Place } from './tree';
import type { Marks, Read } from './written';

export const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

export class Study {
  readonly place = signal<Place>(rootOf(START));
  readonly flipped = signal(false);
  readonly report = signal<Report | null>(null);
  readonly times = signal<number[]>([]);
  /** Changes with the tree, which is not made anew. */
  readonly revision = signal(0);
  readonly marks = signal<Marks>({ notes: {}, shapes: {} });
  readonly headers = signal<ReadonlyMap<string, string>>(new Map());
  readonly orientation: ReadonlySignal<Color> = computed(() => (this.flipped.value ? 'black' : 'white'));
  readonly root = signal<Place>(this.place.value);
  readonly variant = signal('standard');

  /** `game` is the one that was played; without one the board is one's own. */
  constructor(readonly game: Game | null) {
    if (game) {
      this.variant.value = game.variant;
      this.begin(rootOf(game.initial_fen));
      follow(this.root.value, game.moves, game.variant, true);
    }
    this.recall();
    this.show(game ? lastOf(this.root.value) : this.place.value);
  }

  /** What the server says of a place of the game: of the move that led there. */
  found(place: Place): AnalysedMove | null {
    return place.isPlayed && place.ply > 0 ? (this.report.value?.moves[place.ply - 1] ?? null) : null;
  }

  /** The best move here, if the server looked at this position. */
  best(place: Place): string | null {
    return place.isPlayed ? (this.report.value?.moves[place.ply]?.best ?? null) : null;
  }

  line(): Place[] {
    void this.revision.value;
    return mainLine(this.root.value);
  }

  show(place: Place): void {
    this.place.value = place;
  }

  step(by: 1 | -1): void {
    const at = this.place.value;
    const next = by === 1 ? at.children[0] : at.parent;
    if (!next) return;
    this.show(next);
    if (next.san) announce(next.san);
  }

  first(): void {
    this.show(this.root.value);
  }

  last(): void {
    this.show(lastOf(this.place.value));
  }

  /** A move on the board: along the line, or a variation. */
  play(uci: string): boolean {
    const next = add(this.place.value, uci, this.variant.value);
    if (!next) return false;
    this.changed();
    this.show(next);
    announce(next.san);
    return true;
  }

  /** Whether there is something of one's own to take away here. */
  isOwn(): boolean {
    return !this.place.value.isPlayed;
  }

  remove(): void {
    this.show(remove(this.place.value));
    this.changed();
  }

  /** Makes the variation that is shown the first one. */
  promote(): void {
    const branch = branchOf(this.place.value);
    if (branch) promote(branch);
    this.changed();
  }

  note(text: string): void {
    this.mark({ notes: { ...this.marks.value.notes, [this.place.value.path]: text } });
  }

  draw(shapes: DrawShape[]): void {
    this.mark({ shapes: { ...this.marks.value.shapes, [this.place.value.path]: shapes } });
  }

  /** Another game or position in place of this one. */
  take(read: Read): void {
    this.variant.value = read.variant;
    this.headers.value = read.headers;
    this.begin(read.root);
    this.marks.value = { notes: read.notes, shapes: read.shapes };
    this.show(read.root);
    this.changed();
  }

  title(): string {
    const name = (color: Color) => this.game?.players[color]?.name ?? this.headers.value.get(TAGS[color]);
    const [white, black] = [name('white'), name('black')];
    return white && black ? t.game.vs(white, black) : t.analysis.heading;
  }

  /** The tags of the PGN of one's own analysis. */
  tags(): Record<string, string> {
    const fen = this.root.value.fen;
    const named: Record<string, string> = this.game
      ? {
          White: this.game.players.white?.name ?? '?',
          Black: this.game.players.black?.name ?? '?',
          Site: `${location.origin}/game/${this.game.id}`,
        }
      : Object.fromEntries(this.headers.value);
    if (this.variant.value !== 'standard') named.Variant = t.variants[this.variant.value] ?? this.variant.value;
    return fen === START ? named : { ...named, FEN: fen, SetUp: '1' };
  }

  private begin(root: Place): void {
    this.root.value = root;
    this.place.value = root;
  }

  private mark(some: Partial<Marks>): void {
    this.marks.value = { ...this.marks.value, ...some };
    this.save();
  }

  private changed(): void {
    this.revision.value++;
    this.save();
  }

  private save(): void {
    const { notes, shapes } = this.marks.value;
    keep(this.game?.id ?? null, {
      variant: this.variant.value,
      fen: this.root.value.fen,
      lines: leaves(this.root.value),
      notes: Object.fromEntries(Object.entries(notes).filter(([, text]) => text !== '')),
      shapes: Object.fromEntries(Object.entries(shapes).filter(([, drawn]) => drawn.length > 0)),
      headers: Object.fromEntries(this.headers.value),
      at: Date.now(),
    });
  }

  private recall(): void {
    const kept = recall(this.game?.id ?? null);
    if (!kept) return;
    if (!this.game) {
      this.variant.value = kept.variant;
      this.headers.value = new Map(Object.entries(kept.headers));
      this.begin(rootOf(kept.fen));
    }
    for (const line of kept.lines) follow(this.root.value, line.split(' '), this.variant.value);
    this.marks.value = { notes: kept.notes, shapes: kept.shapes };
  }

  find(path: string): Place | null {
    return find(this.root.value, path);
  }
}

const TAGS: Record<Color, string> = { white: 'White', black: 'Black' };
