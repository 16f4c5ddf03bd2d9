import type { Transport } from './transport';
import type { QueryCheck, QueryCompletions, QueryLanguage, WrittenQuery } from './types';

/** What the editor asks while a query is being written. Nothing of it is kept, and nothing runs. */
export interface QueryApi {
  check(language: QueryLanguage, text: string, signal: AbortSignal): Promise<QueryCheck>;
  /** `at` is the cursor, in UTF-16 units. */
  complete(language: QueryLanguage, text: string, at: number, signal: AbortSignal): Promise<QueryCompletions>;
  /** The person's own queries that hold some words, the last one first. */
  history(words: string): Promise<WrittenQuery[]>;
}

export class HttpQueryApi implements QueryApi {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  check = (language: QueryLanguage, text: string, signal: AbortSignal) =>
    this.post<QueryCheck>('api/query/check', { language, text }, signal);

  complete = (language: QueryLanguage, text: string, at: number, signal: AbortSignal) =>
    this.post<QueryCompletions>('api/query/complete', { language, text, at }, signal);

  async history(words: string): Promise<WrittenQuery[]> {
    const path = `api/query/history?q=${encodeURIComponent(words)}`;
    return (await this.transport.json<{ queries: WrittenQuery[] }>('GET', path)).queries;
  }

  private async post<Result>(path: string, body: unknown, signal: AbortSignal): Promise<Result> {
    return (await (await this.transport.send('POST', path, body, { signal })).json()) as Result;
  }
}
