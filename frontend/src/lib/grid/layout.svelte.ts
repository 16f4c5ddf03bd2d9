import { hear, recall, remember, tell } from '../storage';
import { say } from '../text';
import { undoing } from '../undo.svelte';
import { narrowest, widest } from './rows';
import type { GridColumn } from './state.svelte';

/** A column at its place. */
export interface PlacedColumn {
  /** Which of the grid's columns it is. */
  index: number;
  column: GridColumn;
  pinned: boolean;
  /** Where it begins, from the first pinned one, or from the first of the others. */
  left: number;
  width: number;
}

interface Kept {
  order?: string[];
  hidden?: string[];
  pinned?: string[];
  widths?: Record<string, number>;
}

/** How the columns stand: their order, widths, which are pinned and which hidden. Remembered under a name, where there is one. */
export class GridLayout {
  private kept = $state.raw<Kept>({});
  private name: string | null = null;
  private readonly columns: () => GridColumn[];
  private readonly fitting: (index: number) => number;

  constructor(columns: () => GridColumn[], fitting: (index: number) => number) {
    this.columns = columns;
    this.fitting = fitting;
  }

  /** All columns in their order, pinned ones first, hidden ones too. */
  readonly ordered = $derived.by(() => {
    const { order = [], pinned = [] } = this.kept;
    const place = new Map(order.map((name, position) => [name, position]));
    const rank = (column: GridColumn, index: number) => place.get(column.name) ?? order.length + index;
    return this.columns()
      .map((column, index) => ({ column, index, pinned: pinned.includes(column.name) }))
      .sort((a, b) => Number(b.pinned) - Number(a.pinned) || rank(a.column, a.index) - rank(b.column, b.index));
  });

  /** The columns that are shown, at their places. */
  readonly placed = $derived.by<PlacedColumn[]>(() => {
    const { hidden = [], widths = {} } = this.kept;
    const lefts = { pinned: 0, others: 0 };
    return this.ordered.flatMap(({ column, index, pinned }) => {
      if (hidden.includes(column.name)) return [];
      const width = widths[column.name] ?? this.fitting(index);
      const group = pinned ? 'pinned' : 'others';
      const left = lefts[group];
      lefts[group] += width;
      return [{ index, column, pinned, left, width }];
    });
  });
  readonly pinnedWidth = $derived(this.placed.reduce((sum, { pinned, width }) => sum + (pinned ? width : 0), 0));
  readonly width = $derived(this.placed.reduce((sum, { width }) => sum + width, 0));
  readonly hiddenCount = $derived.by(() => this.columns().length - this.placed.length);

  /** Reads what is remembered under a name, and remembers there from now on. Returns the way to stop hearing of it. */
  open(name: string | null): () => void {
    this.name = name;
    const read = () => (this.kept = name === null ? {} : readKept(recall(`grid.${name}`)));
    read();
    // Another grid of that name, what was taken back, or the program that answers later.
    return hear((names) => names.has(`grid.${name}`) && read());
  }

  isHidden = (index: number): boolean => (this.kept.hidden ?? []).includes(this.nameOf(index));
  isPinned = (index: number): boolean => (this.kept.pinned ?? []).includes(this.nameOf(index));

  resize(index: number, width: number): void {
    const kept = Math.round(Math.min(widest, Math.max(narrowest, width)));
    this.change({ widths: { ...this.kept.widths, [this.nameOf(index)]: kept } });
  }

  /** Takes the width that fits again. */
  fit(index: number): void {
    const widths = { ...this.kept.widths };
    delete widths[this.nameOf(index)];
    this.change({ widths });
  }

  /** The last column that is shown stays. */
  hide(index: number, hidden: boolean): void {
    const others = (this.kept.hidden ?? []).filter((name) => name !== this.nameOf(index));
    if (hidden && this.placed.length <= 1) return;
    const what = say(hidden ? 'window.undoing.column_hidden' : 'window.undoing.column_shown', this.named(index));
    this.change({ hidden: hidden ? [...others, this.nameOf(index)] : others }, what);
  }

  showAll(): void {
    this.change({ hidden: [] }, say('window.undoing.columns_shown'));
  }

  pin(index: number, pinned: boolean): void {
    const others = (this.kept.pinned ?? []).filter((name) => name !== this.nameOf(index));
    const what = say(pinned ? 'window.undoing.column_pinned' : 'window.undoing.column_unpinned', this.named(index));
    this.change({ pinned: pinned ? [...others, this.nameOf(index)] : others }, what);
  }

  /** Puts a column to the place of another one that is shown; where that one is pinned, so is it from then on. */
  move(index: number, to: number): void {
    if (index === to) return;
    const names = this.ordered.map(({ column }) => column.name);
    const [from, target] = [names.indexOf(this.nameOf(index)), names.indexOf(this.nameOf(to))];
    if (from < 0 || target < 0) return;
    names.splice(target, 0, ...names.splice(from, 1));
    const pinned = (this.kept.pinned ?? []).filter((name) => name !== this.nameOf(index));
    this.change(
      { order: names, pinned: this.isPinned(to) ? [...pinned, this.nameOf(index)] : pinned },
      say('window.undoing.column_moved', this.named(index)),
    );
  }

  reset(): void {
    this.change({ order: [], hidden: [], pinned: [], widths: {} }, say('window.undoing.columns_reset'));
  }

  private nameOf = (index: number): string => this.columns()[index]?.name ?? '';
  private named = (index: number) => ({ name: this.columns()[index]?.label ?? this.nameOf(index) });

  // What is said can be taken back, in whichever grid of that name is there then.
  private change(part: Kept, what = ''): void {
    const before = this.kept;
    const after = { ...before, ...part };
    const { name } = this;
    const put = (kept: Kept) => {
      this.kept = kept;
      if (name === null) return;
      remember(`grid.${name}`, JSON.stringify(kept));
      tell([`grid.${name}`]);
    };
    put(after);
    if (what !== '') undoing.did({ what, undo: () => put(before), redo: () => put(after) });
  }
}

function readKept(text: string | null): Kept {
  try {
    const kept = JSON.parse(text ?? '{}') as Kept | null;
    return kept && typeof kept === 'object' && !Array.isArray(kept) ? kept : {};
  } catch {
    return {};
  }
}
