import type { Transport } from './transport';
import type { Feedback, FeedbackKept } from './types';

/** What a person says of an answer, before it is kept. */
export type Opinion = Omit<Feedback, 'at'>;

/** What people say of answers. */
export interface FeedbackApi {
  /** Keeps it in place of what was said before. Rejects with a Fault. */
  give(requestId: string, opinion: Opinion): Promise<FeedbackKept>;
  takeBack(requestId: string): Promise<void>;
}

export class HttpFeedback implements FeedbackApi {
  constructor(private readonly transport: Transport) {}

  async give(requestId: string, opinion: Opinion): Promise<FeedbackKept> {
    const response = await this.transport.send('POST', this.path(requestId), opinion);
    return (await response.json()) as FeedbackKept;
  }

  async takeBack(requestId: string): Promise<void> {
    await this.transport.send('DELETE', this.path(requestId));
  }

  private path = (requestId: string) => `api/requests/${encodeURIComponent(requestId)}/feedback`;
}
