import type { Cell } from '../cell';
import { randomId } from '../random-id';
import { Fault } from './fault';
import type { Transport } from './transport';
import type { ResultCell, ResultFacet, ResultFacetOf, ResultSet, ResultSums, ResultView } from './types';

/** Of which result all rows are wanted: of the answer to a request, or of a table of a source. */
export type ResultOf = { answer_to: string } | { table: string };

export interface ResultWindow {
  offset: number;
  limit: number;
  columns: number[];
  /** Texts in full, for a copy. */
  whole?: boolean;
}

/** Whole results, which stay in the engine. Everything rejects with a Fault. */
export interface ResultsApi {
  open(of: ResultOf, signal: AbortSignal): Promise<ResultSet>;
  /** Another order of a result, or less of it: a result of its own. */
  view(id: string, view: ResultView, signal: AbortSignal): Promise<ResultSet>;
  /** The cells of each column, by its position as text. */
  rows(id: string, window: ResultWindow): Promise<{ rows: number; columns: Map<string, Cell[]> }>;
  cell(id: string, row: number, column: number): Promise<ResultCell>;
  /** Counts the values of a column, or ranges of them; over the whole result, also of a view. */
  facet(id: string, of: ResultFacetOf, signal: AbortSignal): Promise<ResultFacet>;
  /** What rows from `first` to before `last` come to. */
  sums(id: string, first: number, last: number, columns: number[], signal: AbortSignal): Promise<ResultSums['columns']>;
}

export class HttpResults implements ResultsApi {
  constructor(private readonly transport: Transport) {}

  open = (of: ResultOf, signal: AbortSignal) => this.make<ResultSet>('api/results', of, signal);

  view = (id: string, view: ResultView, signal: AbortSignal) =>
    this.make<ResultSet>(`api/results/${encodeURIComponent(id)}/view`, view, signal);

  facet = (id: string, of: ResultFacetOf, signal: AbortSignal) =>
    this.make<ResultFacet>(`api/results/${encodeURIComponent(id)}/facet`, of, signal);

  async rows(id: string, { offset, limit, columns, whole = false }: ResultWindow) {
    const path = `api/results/${encodeURIComponent(id)}/rows?offset=${offset}&limit=${limit}&columns=${columns.join(',')}&whole=${whole}`;
    const response = await this.transport.send('GET', path, undefined, {
      accept: 'application/vnd.apache.arrow.stream',
    });
    // The reader of Arrow is only loaded where all rows of something are looked at.
    const [{ readWindow }, bytes] = await Promise.all([import('../results/arrow'), response.arrayBuffer()]);
    return readWindow(bytes);
  }

  cell = (id: string, row: number, column: number) =>
    this.transport.json<ResultCell>('GET', `api/results/${encodeURIComponent(id)}/cell?row=${row}&column=${column}`);

  async sums(id: string, first: number, last: number, columns: number[], signal: AbortSignal) {
    const path = `api/results/${encodeURIComponent(id)}/sums?from=${first}&to=${last}&columns=${columns.join(',')}`;
    const response = await this.transport.send('GET', path, undefined, { signal });
    return ((await response.json()) as ResultSums).columns;
  }

  // What may take long has a name by which it is stopped: inside the window an aborted request is not heard of.
  private async make<Result>(path: string, body: object, signal: AbortSignal): Promise<Result> {
    const id = randomId();
    const stop = () => void this.transport.send('POST', `api/requests/${id}/cancel`).catch(() => undefined);
    signal.addEventListener('abort', stop, { once: true });
    try {
      const response = await this.transport.send('POST', path, { ...body, request_id: id }, { signal });
      return (await response.json()) as Result;
    } catch (thrown) {
      if (signal.aborted) throw new Fault('canceled', '');
      throw thrown;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}
