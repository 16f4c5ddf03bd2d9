import type { Transport } from './transport';
import type { Marked, NextQuestion, View } from './types';

/** What a person does with the chart of an answer. */
export interface ChartsApi {
  /** The questions that marks lead to, the plainest first; each of them can be asked. Rejects with a Fault when there is none. */
  narrow(requestId: string, marked: Marked): Promise<NextQuestion[]>;
  /** Keeps how the person looks at an answer. */
  saveView(requestId: string, view: View): Promise<void>;
}

export class HttpCharts implements ChartsApi {
  constructor(private readonly transport: Transport) {}

  async narrow(requestId: string, marked: Marked): Promise<NextQuestion[]> {
    const path = `api/requests/${encodeURIComponent(requestId)}/narrow`;
    const response = await this.transport.send('POST', path, marked);
    return ((await response.json()) as { questions: NextQuestion[] }).questions;
  }

  async saveView(requestId: string, view: View): Promise<void> {
    await this.transport.send('POST', `api/requests/${encodeURIComponent(requestId)}/view`, view);
  }
}
