import type { Transport } from './transport';
import type { QueryLanguage, SavedQuery } from './types';

/** A query to keep; `replacing` is when the one of its name was changed last, absent: the name must be free. */
export interface SaveRequest {
  name: string;
  language: QueryLanguage;
  text: string;
  replacing?: string;
}

/** The queries that the person keeps under names. Nothing of them runs. */
export interface SavedApi {
  list(): Promise<SavedQuery[]>;
  /** Rejects with a Fault, `conflict` when the name is taken by another query than the one that was seen. */
  save(query: SaveRequest): Promise<SavedQuery>;
  rename(id: string, name: string): Promise<SavedQuery>;
  remove(id: string): Promise<void>;
}

export class HttpSaved implements SavedApi {
  constructor(private readonly transport: Transport) {}

  list = async () => (await this.transport.json<{ queries: SavedQuery[] }>('GET', 'api/query/saved')).queries;

  save = (query: SaveRequest) => this.sent('POST', 'api/query/saved', query);

  rename = (id: string, name: string) => this.sent('PATCH', one(id), { name });

  async remove(id: string): Promise<void> {
    await this.transport.send('DELETE', one(id));
  }

  private async sent(method: string, path: string, body: unknown): Promise<SavedQuery> {
    return (await (await this.transport.send(method, path, body)).json()) as SavedQuery;
  }
}

const one = (id: string) => `api/query/saved/${encodeURIComponent(id)}`;
