import type { Transport } from './transport';
import type { EditedReading, QuestionMark, ReadingAsked, ReadingChange, ReadingMenu } from './types';

/** What a person does with the reading of a question: of one that was asked, and of one that is being written. */
export interface ReadingApi {
  /** What a part of the reading of a request may become, or what may be added to it. Rejects with a Fault. */
  alternatives(requestId: string, asked: ReadingAsked, signal: AbortSignal): Promise<ReadingMenu>;
  /** The query with one part changed, and a question that says it; nothing is run. Rejects with the refusal as a Fault. */
  edit(requestId: string, change: ReadingChange): Promise<EditedReading>;
  /** Makes a request the version of its turn that stands there. */
  choose(requestId: string): Promise<void>;
  /** What is understood of a question that is being written, as the next one of a session. */
  glance(question: string, sessionId: string | null, signal: AbortSignal): Promise<QuestionMark[]>;
}

export class HttpReading implements ReadingApi {
  constructor(private readonly transport: Transport) {}

  async alternatives(requestId: string, asked: ReadingAsked, signal: AbortSignal): Promise<ReadingMenu> {
    const path = `api/requests/${encodeURIComponent(requestId)}/alternatives`;
    const response = await this.transport.send('POST', path, asked, { signal });
    return (await response.json()) as ReadingMenu;
  }

  async edit(requestId: string, change: ReadingChange): Promise<EditedReading> {
    const response = await this.transport.send('POST', `api/requests/${encodeURIComponent(requestId)}/edit`, change);
    return (await response.json()) as EditedReading;
  }

  async choose(requestId: string): Promise<void> {
    await this.transport.send('POST', `api/requests/${encodeURIComponent(requestId)}/choose`, {});
  }

  async glance(question: string, sessionId: string | null, signal: AbortSignal): Promise<QuestionMark[]> {
    const query = new URLSearchParams({ q: question, ...(sessionId ? { session: sessionId } : {}) });
    const response = await this.transport.send('GET', `api/glance?${query.toString()}`, undefined, { signal });
    return ((await response.json()) as { marks: QuestionMark[] }).marks;
  }
}
