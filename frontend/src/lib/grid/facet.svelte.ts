import type { ResultFacet } from '../api/types';
import { say } from '../text';
import type { Filter, Kind } from './arrange';
import { choiceOf, linesOf, linesOfChoice, mostValues, rangesOf } from './facets';
import type { Range } from './ranges';
import type { RowSource } from './source';

interface Of {
  source: RowSource;
  column: number;
  kind: Kind;
  /** As the data has it. */
  type: string;
}

/** The values of a column to choose from: counted on demand, stopped at any time, several chosen at once. */
export class FacetChoice {
  chosen = $state.raw<ReadonlySet<string>>(new Set());
  counting = $state(false);
  stopped = $state(false);
  problem = $state.raw<{ message: string; hint: string } | null>(null);
  find = $state('');
  private facet = $state.raw<ResultFacet | null>(null);
  private ranges = $state.raw<Range[]>([]);
  private found = $state('');
  private stop: AbortController | null = null;

  constructor(private readonly of: Of) {
    const now = of.source.arrangement.filters.find(({ column, op }) => column === of.column && op === 'one_of');
    if (now?.one_of) this.chosen = new Set(linesOfChoice(now.one_of).map(({ key }) => key));
  }

  readonly lines = $derived(this.facet ? linesOf(this.facet, this.ranges, this.chosen, this.found) : []);
  readonly most = $derived(Math.max(1, ...this.lines.map(({ rows }) => rows ?? 0)));
  readonly inRanges = $derived(this.ranges.length > 0);
  /** How many different values there are, about, when not all of them are listed; else 0. */
  readonly beyond = $derived.by(() => {
    const full = (this.facet?.values.length ?? 0) >= mostValues && this.found === '';
    return full ? (this.facet?.distinct ?? 0) : 0;
  });
  /** Rows whose text is too long to be listed. */
  readonly long = $derived(this.facet?.long ?? 0);
  readonly counted = $derived(this.facet !== null);

  /** Counts, where `find` says so only values that hold it. */
  async count(): Promise<void> {
    this.stop?.abort();
    const stop = new AbortController();
    this.stop = stop;
    this.counting = true;
    this.stopped = false;
    this.problem = null;
    const { source, column, kind, type } = this.of;
    const find = this.find.trim();
    try {
      let facet = await source.facet({ column, find, ranges: [] }, stop.signal);
      const ranges = find === '' ? rangesOf(facet, kind, type) : [];
      if (ranges.length > 0) facet = await source.facet({ column, find, ranges }, stop.signal);
      if (this.stop !== stop) return;
      [this.facet, this.ranges, this.found] = [facet, ranges, find];
    } catch (thrown) {
      if (this.stop !== stop) return;
      const { message, hint = '' } = thrown as { message?: string; hint?: string };
      this.problem = { message: message ?? say('window.error.unreachable'), hint };
    } finally {
      if (this.stop === stop) {
        this.stop = null;
        this.counting = false;
      }
    }
  }

  /** Stops counting. */
  cancel(): void {
    if (!this.stop) return;
    this.stop.abort();
    this.stop = null;
    this.counting = false;
    this.stopped = true;
  }

  toggle(key: string): void {
    const chosen = new Set(this.chosen);
    if (!chosen.delete(key)) chosen.add(key);
    this.chosen = chosen;
  }

  /** The filter that the choice is; none: nothing is chosen. */
  filters(): Filter[] {
    if (this.chosen.size === 0) return [];
    return [{ column: this.of.column, op: 'one_of', value: '', one_of: choiceOf(this.chosen) }];
  }
}
