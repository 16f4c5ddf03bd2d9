import type { Cell } from '../cell';
import type { RowMark } from '../flags';
import {
  asTSV,
  fittingWidth,
  narrowest,
  nextSorting,
  rangeBetween,
  rowsInView,
  scrollToShow,
  sortedOrder,
  widest,
  type CellRange,
  type Sorting,
} from './rows';

/** A column as the grid shows it. */
export interface GridColumn {
  name: string;
  label: string;
  unit: string;
  numeric: boolean;
}

/** What the grid shows. */
export interface GridContent {
  columns: GridColumn[];
  rows: Cell[][];
  show: (cell: Cell, column: number) => string;
  locale: string;
  /** What the rows are, by their index; nothing for an ordinary frame. */
  marks?: RowMark[];
}

/** A place in the grid as displayed; row -1 is the header. */
export interface Place {
  row: number;
  column: number;
}

// Totals stand last, the rest of a TOP before them.
const rankOf = (mark: RowMark): number => (mark === 'total' ? 2 : mark === 'other' ? 1 : 0);

export const rowHeight = 26;
const headHeight = 30;

/** The state of one grid: order, widths, the active cell, the selection and the part in view. */
export class GridState {
  sorting = $state.raw<Sorting | null>(null);
  active = $state.raw<Place>({ row: 0, column: 0 });
  anchor = $state.raw<Place | null>(null);
  scrollTop = $state(0);
  viewHeight = $state(0);
  private resized = $state<Record<string, number>>({});
  private readonly content: () => GridContent;

  readonly order = $derived.by(() => {
    const { rows, columns, locale, marks } = this.content();
    const numeric = columns[this.sorting?.column ?? 0]?.numeric ?? false;
    return sortedOrder(rows, this.sorting, numeric, locale, (row) => rankOf(marks?.[row] ?? null));
  });
  readonly positions = $derived.by(() => {
    const positions = new Int32Array(this.order.length);
    this.order.forEach((row, position) => (positions[row] = position));
    return positions;
  });
  readonly bodyHeight = $derived(this.order.length * rowHeight);
  readonly inView = $derived(
    rowsInView(this.scrollTop, Math.max(0, this.viewHeight - headHeight), rowHeight, this.order.length),
  );
  readonly visible = $derived(
    Array.from({ length: this.inView.last - this.inView.first }, (_, index) => this.inView.first + index),
  );
  private readonly fitted = $derived.by(() => {
    const { columns, rows, show } = this.content();
    const sample = rows.slice(0, 200);
    return columns.map((column, index) =>
      fittingWidth(
        column.label,
        column.unit,
        sample.map((row) => show(row[index] ?? null, index)),
      ),
    );
  });
  readonly widths = $derived.by(() =>
    this.content().columns.map((column, index) => this.resized[column.name] ?? this.fitted[index] ?? 100),
  );
  readonly template = $derived(this.widths.map((width) => `${width}px`).join(' '));
  readonly range = $derived<CellRange | null>(
    this.anchor && this.active.row >= 0 ? rangeBetween(this.anchor, this.active) : null,
  );

  constructor(content: () => GridContent) {
    this.content = content;
  }

  /** The row of the content at a display position. */
  rowAt(position: number): Cell[] {
    return this.content().rows[this.order[position] ?? -1] ?? [];
  }

  /** Which row of the content stands at a display position; -1: none. */
  indexAt(position: number): number {
    return this.order[position] ?? -1;
  }

  /** What the row at a display position is. */
  markAt(position: number): RowMark {
    return this.content().marks?.[this.order[position] ?? -1] ?? null;
  }

  sort(column: number): void {
    this.sorting = nextSorting(this.sorting, column, this.content().columns[column]?.numeric ?? false);
    this.anchor = null;
  }

  resize(column: number, width: number): void {
    const name = this.content().columns[column]?.name;
    if (name !== undefined) this.resized[name] = Math.round(Math.min(widest, Math.max(narrowest, width)));
  }

  /** Makes a cell the active one; with `extend` the selection reaches from where it began to there. */
  goTo(place: Place, extend = false): void {
    const row = Math.max(-1, Math.min(this.order.length - 1, place.row));
    const column = Math.max(0, Math.min(this.content().columns.length - 1, place.column));
    if (!extend) this.anchor = null;
    else if (!this.anchor && this.active.row >= 0) this.anchor = this.active;
    this.active = { row, column };
  }

  /** Moves as a key says; false when the key is not one of the grid's. */
  press(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>): boolean {
    const { row, column } = this.active;
    const far = event.ctrlKey || event.metaKey;
    const page = Math.max(1, Math.floor((this.viewHeight - headHeight) / rowHeight) - 1);
    const last = { row: this.order.length - 1, column: this.content().columns.length - 1 };
    if (row < 0 && event.altKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      this.resize(column, (this.widths[column] ?? 0) + (event.key === 'ArrowLeft' ? -16 : 16));
      return true;
    }
    const moves: Record<string, Place> = {
      ArrowDown: { row: far ? last.row : row + 1, column },
      ArrowUp: { row: far ? 0 : row - 1, column },
      ArrowLeft: { row, column: far ? 0 : column - 1 },
      ArrowRight: { row, column: far ? last.column : column + 1 },
      Home: { row: far ? 0 : row, column: 0 },
      End: { row: far ? last.row : row, column: last.column },
      PageDown: { row: row + page, column },
      PageUp: { row: Math.max(0, row - page), column },
    };
    const move = event.altKey ? undefined : moves[event.key];
    if (move) {
      this.goTo(move, event.shiftKey);
      return true;
    }
    if (row < 0 && (event.key === 'Enter' || event.key === ' ')) {
      this.sort(column);
      return true;
    }
    if (far && event.key.toLowerCase() === 'a') {
      this.anchor = { row: 0, column: 0 };
      this.active = last;
      return true;
    }
    return false;
  }

  /** The scroll position that shows the active cell. */
  scrollForActive(): number {
    if (this.active.row < 0) return this.scrollTop;
    return scrollToShow(this.active.row, this.scrollTop, Math.max(rowHeight, this.viewHeight - headHeight), rowHeight);
  }

  /** The selected cells, or the active one, as tab-separated values. */
  copySelection(): string {
    const { row, column } = this.active;
    const range = this.range ?? { top: row, bottom: row, left: column, right: column };
    const rows: Cell[][] = [];
    for (let position = Math.max(0, range.top); position <= range.bottom; position++) {
      rows.push(this.rowAt(position).slice(range.left, range.right + 1));
    }
    return asTSV(null, rows);
  }

  /** The whole content in the order shown, with its header, as tab-separated values. */
  copyAll(): string {
    const { columns } = this.content();
    return asTSV(
      columns.map((column) => column.name),
      this.order.map((_, position) => this.rowAt(position)),
    );
  }
}
