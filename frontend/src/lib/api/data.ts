import type { Transport } from './transport';
import type {
  Imported,
  ImportProgress,
  Preview,
  ReadAs,
  SourceDetail,
  TableHead,
  TableProfile,
  TableRejected,
  Workspace,
} from './types';

/** A file to look at: one that was handed over, or that of a source. */
export interface PreviewRequest {
  token?: string;
  source?: string;
  reading: ReadAs;
}

/** A source to import again: its own file, or a newer one by its token; `reading` absent: as before. */
export interface RefreshRequest {
  request_id: string;
  token?: string;
  reading?: ReadAs;
}

export interface ProfileRequest {
  request_id: string;
  table: string;
  /** Rows to look at; 0: all. */
  sample: number;
}

/** What the data view asks of the program. */
export interface DataApi {
  sources(): Promise<SourceDetail[]>;
  rename(id: string, name: string): Promise<SourceDetail[]>;
  remove(id: string): Promise<Workspace>;
  restore(id: string): Promise<Workspace>;
  /** Does what a problem of the workspace offers. */
  repair(problem: string, how: string): Promise<Workspace>;
  refresh(
    id: string,
    request: RefreshRequest,
    onProgress: (progress: ImportProgress) => void,
    signal: AbortSignal,
  ): Promise<Imported>;
  preview(request: PreviewRequest, signal: AbortSignal): Promise<Preview>;
  /** Takes the sample that ships into the workspace. */
  sample(signal: AbortSignal): Promise<Imported>;
  /** Forgets a file that was handed over and is not wanted. */
  forget(token: string): Promise<void>;
  head(table: string, signal: AbortSignal): Promise<TableHead>;
  rejected(table: string): Promise<TableRejected>;
  /** A question about a column, or one of its values, that the program understands; empty: none. */
  question(table: string, column: string, value?: string): Promise<string>;
  profile(
    request: ProfileRequest,
    onProgress: (done: number, total: number) => void,
    signal: AbortSignal,
  ): Promise<TableProfile>;
}

/** The same over HTTP. */
export class HttpData implements DataApi {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  sources = async () => (await this.transport.json<{ sources: SourceDetail[] }>('GET', 'api/sources')).sources;

  async rename(id: string, name: string): Promise<SourceDetail[]> {
    const response = await this.transport.send('PATCH', one(id), { name });
    return ((await response.json()) as { sources: SourceDetail[] }).sources;
  }

  remove = (id: string) => this.transport.json<Workspace>('DELETE', one(id));

  async restore(id: string): Promise<Workspace> {
    return (await (await this.transport.send('POST', `${one(id)}/restore`, {})).json()) as Workspace;
  }

  async repair(problem: string, how: string): Promise<Workspace> {
    const response = await this.transport.send('POST', `api/problems/${encodeURIComponent(problem)}`, { repair: how });
    return (await response.json()) as Workspace;
  }

  refresh(
    id: string,
    request: RefreshRequest,
    onProgress: (progress: ImportProgress) => void,
    signal: AbortSignal,
  ): Promise<Imported> {
    return this.transport.stream<Imported>(`${one(id)}/refresh`, request, signal, 'done', (event, data) => {
      if (event === 'progress') onProgress(data as ImportProgress);
    });
  }

  async preview(request: PreviewRequest, signal: AbortSignal): Promise<Preview> {
    return (await (await this.transport.send('POST', 'api/preview', request, { signal })).json()) as Preview;
  }

  async sample(signal: AbortSignal): Promise<Imported> {
    return (await (await this.transport.send('POST', 'api/sample', {}, { signal })).json()) as Imported;
  }

  async forget(token: string): Promise<void> {
    await this.transport.send('DELETE', `api/uploads/${encodeURIComponent(token)}`);
  }

  async head(table: string, signal: AbortSignal): Promise<TableHead> {
    const response = await this.transport.send('GET', `api/table/head?${new URLSearchParams({ table })}`, undefined, {
      signal,
    });
    return (await response.json()) as TableHead;
  }

  rejected = (table: string) =>
    this.transport.json<TableRejected>('GET', `api/table/rejected?${new URLSearchParams({ table })}`);

  async question(table: string, column: string, value = ''): Promise<string> {
    const asked = new URLSearchParams(value ? { table, column, value } : { table, column });
    return (await this.transport.json<{ question: string }>('GET', `api/table/question?${asked}`)).question;
  }

  profile(
    request: ProfileRequest,
    onProgress: (done: number, total: number) => void,
    signal: AbortSignal,
  ): Promise<TableProfile> {
    return this.transport.stream<TableProfile>('api/table/profile', request, signal, 'done', (event, data) => {
      const { done, total } = data as { done: number; total: number };
      if (event === 'progress') onProgress(done, total);
    });
  }
}

const one = (id: string) => `api/sources/${encodeURIComponent(id)}`;
