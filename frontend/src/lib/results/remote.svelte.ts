import type { ResultsApi } from '../api/results';
import type { ResultFacet, ResultSet } from '../api/types';
import { asFault, Fault } from '../api/fault';
import type { Cell } from '../cell';
import type { RowMark } from '../flags';
import { asItCame, type Arrangement } from '../grid/arrange';
import type { FacetOf } from '../grid/facets';
import type { RowSource } from '../grid/source';
import type { ColumnSums } from '../grid/sums';
import { say } from '../text';
import { BlockCache, blockColumns, blockRows, blocksFor, keyOf, type Block } from './blocks';

// So many windows are read at a time: more would wait for each other at the other side.
const atOnce = 2;

/**
 * Rows that stay in the engine and are read window by window. The columns of the grid are those of the result without flags,
 * in their order.
 */
export class RemoteRows implements RowSource {
  /** All rows, as they came. */
  readonly base: ResultSet;
  /** What is shown: `base`, or a view of it. */
  private shown = $state.raw<ResultSet>(null!);
  arrangement = $state.raw<Arrangement>(asItCame);
  arranging = $state(false);
  problem = $state.raw<{ message: string; hint: string } | null>(null);
  private version = $state(0);
  private readonly cache = new BlockCache();
  private readonly reading = new Set<string>();
  private wanted: Block[] = [];
  private stop: AbortController | null = null;
  /** How the rows stand that are shown while others are made. */
  private before: Arrangement = asItCame;
  /** Positions in the result of the grid's columns, and of the flags. */
  private readonly columns: number[];
  private readonly flags: { total: number; other: number };

  constructor(
    private readonly api: ResultsApi,
    base: ResultSet,
  ) {
    this.base = base;
    this.shown = base;
    this.columns = base.columns.flatMap((column, index) => (column.role === 'flag' ? [] : [index]));
    const flag = (name: string) => base.columns.findIndex((column) => column.role === 'flag' && column.name === name);
    this.flags = { total: flag('is_total'), other: flag('is_other') };
  }

  readonly count = $derived.by(() => this.shown.rows);
  readonly total = $derived.by(() => this.base.rows);
  readonly elsewhere = 0;
  readonly textCut = $derived.by(() => this.base.text_cut);

  cell(position: number, column: number): Cell | undefined {
    void this.version;
    return this.cache.cell(position, this.columns[column] ?? -1);
  }

  markAt(position: number): RowMark {
    void this.version;
    if (this.flags.total >= 0 && this.cache.cell(position, this.flags.total) === true) return 'total';
    return this.flags.other >= 0 && this.cache.cell(position, this.flags.other) === true ? 'other' : null;
  }

  // The rows of a view are others than those of the answer.
  indexAt = (position: number): number => (this.shown === this.base ? position : -1);
  positionOf = (index: number): number => (this.shown === this.base && index < this.base.rows ? index : -1);

  want(first: number, last: number, columns: number[]): void {
    const flags = [this.flags.total, this.flags.other].filter((column) => column >= 0);
    this.wanted = blocksFor(first, Math.min(last, this.shown.rows), [
      ...columns.map((column) => this.columns[column] ?? 0),
      ...flags,
    ]);
    this.cache.keep(this.wanted);
    this.readOn();
  }

  async arrange(next: Arrangement): Promise<void> {
    this.cancel();
    const stop = new AbortController();
    this.stop = stop;
    this.before = this.arrangement;
    this.arrangement = next; // what is pressed meanwhile goes on from it
    this.arranging = true;
    this.problem = null;
    try {
      const plain = next.sort.length === 0 && next.filters.length === 0 && next.search === '';
      const sent = { sort: this.inResult(next.sort), filters: this.inResult(next.filters), search: next.search };
      const view = plain ? this.base : await this.api.view(this.base.id, sent, stop.signal);
      if (this.stop === stop) this.show(view);
    } catch (thrown) {
      if (this.stop !== stop) return;
      this.arrangement = this.before;
      this.fail(thrown);
    } finally {
      if (this.stop === stop) {
        this.stop = null;
        this.arranging = false;
      }
    }
  }

  cancel(): void {
    if (!this.stop) return;
    this.stop.abort();
    this.stop = null;
    this.arranging = false;
    this.arrangement = this.before;
  }

  async read(first: number, last: number, columns: number[]): Promise<Cell[][]> {
    const rows: Cell[][] = [];
    const wanted = columns.map((column) => this.columns[column] ?? 0);
    const step = Math.max(1, Math.min(this.base.most_rows, Math.floor(200_000 / Math.max(1, wanted.length))));
    for (let from = first; from < last; from += step) {
      const part = await this.api.rows(this.shown.id, {
        offset: from,
        limit: Math.min(step, last - from),
        columns: wanted,
        whole: true,
      });
      for (let row = 0; row < part.rows; row++)
        rows.push(wanted.map((column) => part.columns.get(String(column))?.[row] ?? null));
    }
    return rows;
  }

  async sums(first: number, last: number, columns: number[], signal: AbortSignal): Promise<ColumnSums[]> {
    return this.api.sums(
      this.shown.id,
      first,
      last,
      columns.map((column) => this.columns[column] ?? 0),
      signal,
    );
  }

  facet({ column, find, ranges }: FacetOf, signal: AbortSignal): Promise<ResultFacet> {
    const { filters, search } = this.arrangement;
    const of = { column: this.columns[column] ?? 0, find, ranges, filters: this.inResult(filters), search };
    return this.api.facet(this.base.id, of, signal);
  }

  async whole(position: number, column: number): Promise<string | null> {
    const cell = await this.api.cell(this.shown.id, position, this.columns[column] ?? 0);
    return cell.null ? null : cell.text;
  }

  private inResult = <Part extends { column: number }>(parts: Part[]): Part[] =>
    parts.map((part) => ({ ...part, column: this.columns[part.column] ?? 0 }));

  private show(view: ResultSet): void {
    this.shown = view;
    this.cache.clear();
    this.version++;
    this.readOn(); // the same places are in view, with other rows
  }

  // Reads what is in view and not here. What was wanted meanwhile and is out of view again is not read at all.
  private readOn(): void {
    for (const block of this.wanted) {
      if (this.reading.size >= atOnce) return;
      const key = `${this.shown.id} ${keyOf(block)}`;
      if (this.cache.has(block) || this.reading.has(key)) continue;
      this.reading.add(key);
      void this.readBlock(block, this.shown).finally(() => {
        this.reading.delete(key);
        if (!this.problem) this.readOn();
      });
    }
  }

  private async readBlock(block: Block, from: ResultSet): Promise<void> {
    const first = block.column * blockColumns;
    const columns = Array.from({ length: Math.min(blockColumns, from.columns.length - first) }, (_, n) => first + n);
    try {
      const part = await this.api.rows(from.id, { offset: block.row * blockRows, limit: blockRows, columns });
      if (from !== this.shown) return;
      this.cache.put(
        block,
        columns.map((column) => part.columns.get(String(column)) ?? []),
      );
      this.version++;
    } catch (thrown) {
      if (from === this.shown) this.fail(thrown);
    }
  }

  /** Reads again after a failure. */
  retry(): void {
    this.problem = null;
    this.readOn();
  }

  private fail(thrown: unknown): void {
    const fault = asFault(thrown, new Fault('internal', say('window.error.unreachable')));
    if (fault.code !== 'canceled') this.problem = { message: fault.message, hint: fault.hint };
  }
}
