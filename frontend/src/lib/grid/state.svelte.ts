import type { Cell } from '../cell';
import { nextSort, type Filter, type Kind } from './arrange';
import type { CopyFormat } from './copy';
import { sqlIn, written } from './copy';
import { count, say } from '../text';
import { GridLayout } from './layout.svelte';
import { fittingWidth, rangeBetween, rowsInView, scrollToShow, type CellRange } from './rows';
import { ScrollMap, tallest } from './scroll';
import type { RowSource } from './source';

/** A column of a grid, in the order of the cells of its source. */
export interface GridColumn {
  /** Unique in the grid; what its width and place are remembered by. */
  name: string;
  label: string;
  unit: string;
  /** Stands to the right, in the font of figures. */
  numeric: boolean;
  /** How its cells compare; by default numbers or text. */
  kind?: Kind;
  /** As its data has it (integer, decimal, float, boolean, date, timestamp, time, text, json); by default text. */
  type?: string;
  /** Its values are not counted or listed. */
  personal?: boolean;
}

export interface GridContent {
  source: RowSource;
  columns: GridColumn[];
  show: (cell: Cell, column: number) => string;
  /** What a table of these rows is called in SQL. */
  table?: string;
}

/** A place in a grid: row -1 is the header; columns count those that are shown, from the left. */
export interface Place {
  row: number;
  column: number;
}

export const rowHeight = 26;
export const headHeight = 30;

/** A selection of more cells than these is not copied. */
export const mostCopied = 1_000_000;

const beside = 200;

/** What the grid shows and where the person is in it. */
export class GridState {
  active = $state.raw<Place>({ row: 0, column: 0 });
  anchor = $state.raw<Place | null>(null);
  viewHeight = $state(0);
  viewWidth = $state(0);
  scrollLeft = $state(0);
  /** Where the view begins, in pixels of all rows. */
  top = $state(0);
  pixelRatio = $state(1);
  /** Where the bar stands; not the same as `top` when there are more rows than an element can be high. */
  private bar = $state(0);
  private readonly fits = new Map<number, number>();
  private fittedFor: GridColumn[] | null = null;
  private readonly content: () => GridContent;
  readonly layout: GridLayout;

  constructor(content: () => GridContent) {
    this.content = content;
    this.layout = new GridLayout(
      () => this.content().columns,
      (index) => this.fitted[index] ?? 100,
    );
  }

  readonly source = $derived.by(() => this.content().source);
  readonly count = $derived.by(() => this.source.count);
  readonly map = $derived(new ScrollMap(this.count * rowHeight, tallest(this.pixelRatio)));
  readonly room = $derived(Math.max(rowHeight, this.viewHeight - headHeight));
  private readonly window = $derived(rowsInView(this.top, this.room, rowHeight, this.count));
  // Numbers, so that nothing is drawn again before another row comes into view.
  readonly first = $derived(this.window.first);
  readonly last = $derived(this.window.last);
  private readonly slots = $derived(Math.ceil(this.room / rowHeight) + 17);
  /** The place of a row among those that are drawn: the one of a row that went out of view, so that scrolling makes no elements. */
  slotOf = (position: number): number => position % this.slots;
  /** The positions of the rows to draw, by their slots. */
  readonly drawn = $derived.by(() => {
    const positions: number[] = [];
    for (let position = this.first; position < this.last; position++) positions.push(position);
    return positions.sort((a, b) => this.slotOf(a) - this.slotOf(b));
  });
  /** How far the drawn rows are moved up, so that they stand in the element where the bar is. */
  readonly shift = $derived(this.top - this.bar);
  readonly pinned = $derived.by(() => this.layout.placed.filter((column) => column.pinned));
  /** Columns that are not pinned and touch the view, and the one where the person is. */
  private readonly activeColumn = $derived(this.active.column);
  readonly columnsInView = $derived.by(() => {
    const from = this.scrollLeft - beside;
    const to = this.scrollLeft + Math.max(this.viewWidth, 400) - this.layout.pinnedWidth + beside;
    const here = this.layout.placed[this.activeColumn];
    return this.layout.placed.filter(
      (placed) => !placed.pinned && (placed === here || (placed.left + placed.width > from && placed.left < to)),
    );
  });
  /** The width that fits a column: by the first rows that were seen of it, so that it stays while others come. */
  private readonly fitted = $derived.by(() => {
    const { columns, show, source } = this.content();
    if (this.fittedFor !== columns) {
      this.fittedFor = columns;
      this.fits.clear();
    }
    return columns.map((column, index) => {
      const known = this.fits.get(index);
      if (known !== undefined) return known;
      const cells: string[] = [];
      for (let position = 0; position < Math.min(source.count, 200); position++) {
        const cell = source.cell(position, index);
        if (cell === undefined) return fittingWidth(column.label, column.unit, ['x'.repeat(12)]);
        cells.push(show(cell, index).slice(0, 60));
      }
      const width = fittingWidth(column.label, column.unit, cells);
      this.fits.set(index, width);
      return width;
    });
  });
  readonly range = $derived<CellRange | null>(
    this.anchor && this.active.row >= 0 ? rangeBetween(this.anchor, this.active) : null,
  );

  /** The column at a place. */
  columnAt = (place: number): number => this.layout.placed[place]?.index ?? -1;
  placeOf = (column: number): number => this.layout.placed.findIndex(({ index }) => index === column);
  kindOf = (column: number): Kind => {
    const known = this.content().columns[column];
    return known?.kind ?? (known?.numeric ? 'number' : 'text');
  };

  /** The bar was moved to a position. Gives the one where it should stand. */
  scrolled(bar: number): number {
    const next = this.map.moved(this.top, this.bar, bar, this.room);
    this.bar = next.bar;
    this.top = next.top;
    return next.bar;
  }

  /** Goes to a place in the rows, in pixels. Gives where the bar should stand. */
  scrollTo(top: number): number {
    const to = Math.max(0, Math.min(top, this.count * rowHeight - this.room));
    this.bar = Math.round(this.map.barAt(to));
    this.top = to;
    return this.bar;
  }

  /** Where the view begins so that the active cell is in it. */
  topForActive = (): number =>
    this.active.row < 0 ? this.top : scrollToShow(this.active.row, this.top, this.room, rowHeight);

  /** How far to the right the view begins so that the active cell is in it. */
  leftForActive(): number {
    const placed = this.layout.placed[this.active.column];
    if (!placed || placed.pinned) return this.scrollLeft;
    const width = Math.max(0, this.viewWidth - this.layout.pinnedWidth);
    if (placed.left < this.scrollLeft) return placed.left;
    const right = placed.left + placed.width;
    return right > this.scrollLeft + width ? Math.min(placed.left, right - width) : this.scrollLeft;
  }

  sort(column: number, add = false): void {
    const { arrangement } = this.source;
    this.anchor = null;
    void this.source.arrange({
      ...arrangement,
      sort: nextSort(arrangement.sort, column, this.kindOf(column) === 'number', add),
    });
  }

  /** Sorts by one column in one direction. */
  sortBy(column: number, descending: boolean): void {
    this.anchor = null;
    void this.source.arrange({ ...this.source.arrangement, sort: [{ column, descending }] });
  }

  /** Puts filters in the place of those of a column. */
  filter(column: number, filters: Filter[]): void {
    const { arrangement } = this.source;
    const others = arrangement.filters.filter((filter) => filter.column !== column);
    void this.source.arrange({ ...arrangement, filters: [...others, ...filters] });
  }

  search(words: string): void {
    void this.source.arrange({ ...this.source.arrangement, search: words });
  }

  /** Makes a cell the active one; with `extend` the selection reaches from where it began to there. */
  goTo(place: Place, extend = false): void {
    const row = Math.max(-1, Math.min(this.count - 1, place.row));
    const column = Math.max(0, Math.min(this.layout.placed.length - 1, place.column));
    if (!extend) this.anchor = null;
    else if (!this.anchor && this.active.row >= 0) this.anchor = this.active;
    this.active = { row, column };
  }

  selectAll(): void {
    this.anchor = { row: 0, column: 0 };
    this.active = { row: this.count - 1, column: this.layout.placed.length - 1 };
  }

  /** Moves as a key says; false when the key is not one of the grid's. */
  press(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>): boolean {
    const { row, column } = this.active;
    const far = event.ctrlKey || event.metaKey;
    if (row < 0 && this.pressHeader(event)) return true;
    const page = Math.max(1, Math.floor(this.room / rowHeight) - 1);
    const last = { row: this.count - 1, column: this.layout.placed.length - 1 };
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
      this.goTo(event.shiftKey ? { ...move, row: Math.max(0, move.row) } : move, event.shiftKey);
      return true;
    }
    return false;
  }

  // On a header: Alt with the arrows resizes, with Shift too it moves the column.
  private pressHeader(event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey'>): boolean {
    const { column } = this.active;
    const index = this.columnAt(column);
    const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    if (event.altKey && step !== 0 && event.shiftKey) {
      const beside = this.columnAt(column + step);
      if (beside >= 0) {
        this.layout.move(index, beside);
        this.goTo({ row: -1, column: this.placeOf(index) });
      }
      return true;
    }
    if (event.altKey && step !== 0) {
      this.layout.resize(index, (this.layout.placed[column]?.width ?? 0) + 16 * step);
      return true;
    }
    if (event.altKey || (event.key !== 'Enter' && event.key !== ' ')) return false;
    this.sort(index, event.shiftKey);
    return true;
  }

  /** The rectangle that is selected, or the active cell. */
  selected(): CellRange {
    const { row, column } = this.active;
    return this.range ?? { top: Math.max(0, row), bottom: Math.max(0, row), left: column, right: column };
  }

  columnsOf = ({ left, right }: CellRange): number[] =>
    this.layout.placed.slice(left, right + 1).map(({ index }) => index);

  /** How many cells a rectangle has. */
  cellsIn = ({ top, bottom, left, right }: CellRange): number => (bottom - top + 1) * (right - left + 1);

  /** The cells of a rectangle as text, and what is to be said of it; empty: nothing. Rejects with what a person can do instead. */
  async copy(format: CopyFormat, range: CellRange, headers: boolean): Promise<{ text: string; said: string }> {
    const columns = this.columnsOf(range);
    if (format === 'sql_in' && columns.length !== 1) throw new Error(say('window.grid.one_column'));
    const rows = await this.source.read(range.top, range.bottom + 1, columns);
    const all = columns.map((column) => this.content().columns[column]);
    const types = all.map((column) => column?.type ?? '');
    let said = '';
    if (format === 'sql_in') {
      const { values, nulls } = sqlIn(
        rows.map((row) => row[0] ?? null),
        types[0],
      );
      if (values === 0) throw new Error(say('window.grid.only_nulls'));
      said = count('window.grid.copied_in', values, { column: (all[0]?.label ?? '').slice(0, 60) });
      if (nulls > 0) said += ` ${count('window.grid.copied_nulls', nulls)}`;
    }
    const names = all.map((column) => column?.name ?? '');
    return { text: written(format, names, rows, headers, { types, table: this.content().table ?? 'rows' }), said };
  }

  /** All that is shown, in its order. */
  all = (): CellRange => ({ top: 0, left: 0, bottom: this.count - 1, right: this.layout.placed.length - 1 });
}
