import type { ResultFacet } from '../api/types';
import type { Cell } from '../cell';
import type { RowMark } from '../flags';
import { arranged, asItCame, type Arrangement, type Kind } from './arrange';
import { facetOf, type FacetOf } from './facets';
import type { RowSource } from './source';
import { columnSums, type ColumnSums } from './sums';

export interface LocalContent {
  rows: Cell[][];
  kindOf: (column: number) => Kind;
  locale: string;
  /** What each row is, by its index in `rows`. */
  marks?: RowMark[];
  /** Rows that there are and that are not among these. */
  elsewhere?: number;
}

const ranks = { member: 0, other: 1, total: 2 };
const rankOf = (mark: RowMark): number => ranks[mark ?? 'member'];

/** Rows that are all in memory. */
export class LocalRows implements RowSource {
  arrangement = $state.raw<Arrangement>(asItCame);
  readonly arranging = false;
  readonly problem = null;
  readonly textCut = Infinity;
  private readonly content: () => LocalContent;
  private readonly order = $derived.by(() => {
    const { rows, kindOf, locale, marks } = this.content();
    return arranged(rows, this.arrangement, kindOf, locale, (row) => rankOf(marks?.[row] ?? null));
  });
  private readonly positions = $derived.by(() => {
    const positions = new Int32Array(this.content().rows.length).fill(-1);
    this.order.forEach((row, position) => (positions[row] = position));
    return positions;
  });
  readonly count = $derived(this.order.length);
  readonly total = $derived.by(() => this.content().rows.length);

  readonly elsewhere = $derived.by(() => this.content().elsewhere ?? 0);

  constructor(content: () => LocalContent) {
    this.content = content;
  }

  private row = (position: number): Cell[] => this.content().rows[this.order[position] ?? -1] ?? [];
  cell = (position: number, column: number): Cell => this.row(position)[column] ?? null;
  markAt = (position: number): RowMark => this.content().marks?.[this.order[position] ?? -1] ?? null;
  indexAt = (position: number): number => this.order[position] ?? -1;
  positionOf = (index: number): number => this.positions[index] ?? -1;
  want(): void {}
  cancel(): void {}

  async arrange(next: Arrangement): Promise<void> {
    this.arrangement = next;
  }

  async read(first: number, last: number, columns: number[]): Promise<Cell[][]> {
    const rows: Cell[][] = [];
    for (let position = first; position < last; position++) {
      const row = this.row(position);
      rows.push(columns.map((column) => row[column] ?? null));
    }
    return rows;
  }

  async sums(first: number, last: number, columns: number[]): Promise<ColumnSums[]> {
    const { kindOf } = this.content();
    return columns.map((column) => {
      const cells: Cell[] = [];
      for (let position = first; position < last; position++) cells.push(this.cell(position, column));
      return columnSums(cells, kindOf(column) === 'number');
    });
  }

  async facet(of: FacetOf): Promise<ResultFacet> {
    const { rows, kindOf, locale, marks } = this.content();
    const others = this.arrangement.filters.filter(({ column }) => column !== of.column);
    const kept = arranged(rows, { ...this.arrangement, sort: [], filters: others }, kindOf, locale);
    const members = kept.filter((row) => rankOf(marks?.[row] ?? null) === 0);
    return facetOf(
      members.map((row) => rows[row]?.[of.column] ?? null),
      kindOf(of.column),
      of,
    );
  }

  async whole(position: number, column: number): Promise<string | null> {
    const cell = this.cell(position, column);
    return cell === null ? null : String(cell);
  }
}
