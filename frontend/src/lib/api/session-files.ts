import type { Transport } from './transport';
import type { Exported, SessionArrived, SessionContents, SessionPreview } from './types';

/** How the rows of answers are handed over: as they are, with personal values masked, or not at all. */
export type RowsChoice = 'whole' | 'masked' | 'none';

/** What of a session goes into its file. */
export interface FileChoice {
  frames: RowsChoice;
  model: boolean;
  sign: boolean;
  /** What the person calls themself in signatures; empty: as before. */
  signer: string;
}

/** Sessions as files: written to be handed over, looked at, and taken in. */
export interface SessionFilesApi {
  /** What the file of a session would hold, before it is written. Rejects with a Fault. */
  contents(sessionId: string, choice: FileChoice, signal: AbortSignal): Promise<SessionContents>;
  /** Writes a file that can be fetched within the hour. */
  write(sessionId: string, choice: FileChoice, signal: AbortSignal): Promise<Exported>;
  /** What a file that was handed over holds; nothing of it lands. */
  preview(token: string): Promise<SessionPreview>;
  /** Takes it in, all of it or nothing. */
  take(token: string): Promise<SessionArrived>;
}

export class HttpSessionFiles implements SessionFilesApi {
  constructor(private readonly transport: Transport) {}

  async contents(sessionId: string, choice: FileChoice, signal: AbortSignal): Promise<SessionContents> {
    const asked = new URLSearchParams({
      frames: choice.frames,
      model: String(choice.model),
      sign: String(choice.sign),
    });
    const path = `api/sessions/${encodeURIComponent(sessionId)}/export/contents?${asked.toString()}`;
    return (await (await this.transport.send('GET', path, undefined, { signal })).json()) as SessionContents;
  }

  write = (sessionId: string, choice: FileChoice, signal: AbortSignal) =>
    this.transport.export(`api/sessions/${encodeURIComponent(sessionId)}/export`, choice, signal);

  async preview(token: string): Promise<SessionPreview> {
    return (await (await this.transport.send('POST', 'api/sessions/preview', { token })).json()) as SessionPreview;
  }

  async take(token: string): Promise<SessionArrived> {
    return (await (await this.transport.send('POST', 'api/sessions/import', { token })).json()) as SessionArrived;
  }
}
