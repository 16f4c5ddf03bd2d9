import type { Cell } from '../cell';
import { Fault } from './fault';
import type { ResultOf, ResultsApi, ResultWindow } from './results';
import type { ResultCell, ResultFacet, ResultFacetOf, ResultSet, ResultSums, ResultView } from './types';

/** Results for tests: rows that the test puts in, in one order; what was asked for is written down. */
export class FakeResults implements ResultsApi {
  set: ResultSet | null = null;
  rowOf: (row: number) => Cell[] = () => [];
  asked: ResultOf[] = [];
  views: ResultView[] = [];
  windows: ResultWindow[] = [];
  /** Rows of a view. */
  viewRows = 0;
  facets: ResultFacetOf[] = [];
  counted: ResultFacet | null = null;
  totals: ResultSums['columns'] = [];

  async open(of: ResultOf): Promise<ResultSet> {
    this.asked.push(of);
    if (!this.set) throw new Fault('conflict', 'This request has no answer with rows.');
    return this.set;
  }

  async view(id: string, view: ResultView): Promise<ResultSet> {
    this.views.push(view);
    return { ...this.set!, id: `${id}-${this.views.length}`, rows: this.viewRows };
  }

  async rows(_id: string, window: ResultWindow) {
    this.windows.push(window);
    const rows = Math.max(0, Math.min(window.limit, (this.set?.rows ?? 0) - window.offset));
    const cells = (column: number) =>
      Array.from({ length: rows }, (_, n) => this.rowOf(window.offset + n)[column] ?? null);
    return { rows, columns: new Map(window.columns.map((column) => [String(column), cells(column)])) };
  }

  async cell(_id: string, row: number, column: number): Promise<ResultCell> {
    const cell = this.rowOf(row)[column] ?? null;
    return { text: cell === null ? '' : String(cell), null: cell === null };
  }

  async facet(_id: string, of: ResultFacetOf): Promise<ResultFacet> {
    this.facets.push(of);
    if (!this.counted) throw new Fault('unauthorized', 'The values of this column are not counted.');
    return this.counted;
  }

  async sums(): Promise<ResultSums['columns']> {
    return this.totals;
  }
}
