import type { Transport } from './transport';
import type { Brought, BundleContents, BundlePreview, BundleWritten, Exchanged, FoundTaught } from './types';

/** What the person taught, found again, and exchanged with colleagues as signed bundles. Its code comes when it is wanted first. */
export interface TaughtApi {
  /** What the person taught and prefers, and what is shared with them, the nearest to some words first; what the answers of a session were read with goes before the rest. Rejects with a Fault. */
  find(words: string, session: string | null, signal: AbortSignal): Promise<FoundTaught[]>;
  /** What the person's bundle would hold, before it is written. */
  contents(): Promise<BundleContents>;
  /** Writes it; it can be fetched within the hour. */
  write(): Promise<BundleWritten>;
  /** What a bundle that was handed over holds; nothing of it lands. Rejects with a Fault: it is none, cut off, or was changed. */
  preview(token: string): Promise<BundlePreview>;
  /** Takes it in, all of it or nothing. */
  take(token: string): Promise<Brought>;
  /** Takes the bundles that lie where colleagues put theirs, a folder or a git remote, and puts the person's own there. */
  exchange(): Promise<Exchanged>;
}

export class HttpTaught implements TaughtApi {
  constructor(private readonly transport: Transport) {}

  async find(words: string, session: string | null, signal: AbortSignal): Promise<FoundTaught[]> {
    const asked = new URLSearchParams({ q: words, ...(session && { session }) });
    const path = `api/memory/find?${asked.toString()}`;
    const response = await this.transport.send('GET', path, undefined, { signal });
    return ((await response.json()) as { found: FoundTaught[] }).found;
  }

  contents = () => this.transport.json<BundleContents>('GET', 'api/memory/bundle');

  write = () => this.sent<BundleWritten>('bundle', {});

  preview = (token: string) => this.sent<BundlePreview>('bundle/preview', { token });

  take = (token: string) => this.sent<Brought>('bundle/import', { token });

  exchange = () => this.sent<Exchanged>('exchange', {});

  private async sent<Result>(path: string, body: unknown): Promise<Result> {
    return (await (await this.transport.send('POST', `api/memory/${path}`, body)).json()) as Result;
  }
}
