// Where the rows of a grid come from. The grid asks for cells by the place that they are shown at; whether they are in memory or
// somewhere else is the source's affair.
import type { Cell } from '../cell';
import type { RowMark } from '../flags';
import type { Arrangement } from './arrange';
import type { ResultFacet } from '../api/types';
import type { FacetOf } from './facets';
import type { ColumnSums } from './sums';

export interface RowSource {
  /** Rows as they are arranged now. Reactive, as all of these are. */
  readonly count: number;
  /** Rows before anything is left out. */
  readonly total: number;
  readonly arrangement: Arrangement;
  /** A sorting, a filter or a search is under way: the rows are still those of before. */
  readonly arranging: boolean;
  /** Why the last one failed, or rows cannot be read. */
  readonly problem: { message: string; hint: string } | null;
  /** A cell; undefined while it is on its way. */
  cell(position: number, column: number): Cell | undefined;
  markAt(position: number): RowMark;
  /** Which row of the content stands at a position, and where a row of the content stands; -1: nobody knows. */
  indexAt(position: number): number;
  positionOf(index: number): number;
  /** Which cells are in view: rows from `first` to before `last`, and these columns. */
  want(first: number, last: number, columns: number[]): void;
  arrange(next: Arrangement): Promise<void>;
  /** Stops what is under way. */
  cancel(): void;
  /** Cells in full, for a copy: rows from `first` to before `last`. Rejects with a Fault, also when it is too much. */
  read(first: number, last: number, columns: number[]): Promise<Cell[][]>;
  sums(first: number, last: number, columns: number[], signal: AbortSignal): Promise<ColumnSums[]>;
  /** Counts the values of a column in the rows that the filters of the other columns keep. Rejects with a Fault. */
  facet(of: FacetOf, signal: AbortSignal): Promise<ResultFacet>;
  /** Rows that there are and that are not here; 0: all are. */
  readonly elsewhere: number;
  /** The whole text of a cell that may be shown cut; null: it has none. */
  whole(position: number, column: number): Promise<string | null>;
  /** Letters beyond which a text is shown cut; infinite: never. */
  readonly textCut: number;
}
