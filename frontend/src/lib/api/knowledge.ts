import type { Transport } from './transport';
import type { Blast, Description, Proposed, Reach, Reviewed, SharedList, Verdict } from './types';

/** Knowledge that is more than one person's, or may become so, as the person may see it. */
export interface KnowledgeApi {
  list(): Promise<SharedList>;
  /** What would come of a piece of it. */
  blast(id: string, signal: AbortSignal): Promise<Blast>;
  /** Puts what the person taught before the stewards. Rejects with a Fault. */
  offer(correctionId: string): Promise<Reviewed>;
  /** Puts something that is to be known, and gives no word a meaning, before the stewards. Rejects with a Fault. */
  write(d: Description): Promise<Reviewed>;
  /** Says otherwise what it is called, says and is about. Rejects with a Fault. */
  describe(id: string, d: Description): Promise<Reviewed>;
  /** Forgets what the person wrote down, without a trace. Rejects with a Fault. */
  forget(id: string): Promise<void>;
  /** Rejects with a Fault: it is not theirs to decide, a reason is missing, it was changed meanwhile. */
  decide(id: string, verdict: Verdict, reason: string): Promise<Reviewed>;
  /** Says whom it is for, how long, in the place of what, and how far it may travel. Rejects with a Fault. */
  direct(id: string, to: Reach): Promise<Reviewed>;
  /** Has the model that is chosen compare it with others, and waits for it. Rejects with a Fault. */
  judge(id: string): Promise<Reviewed>;
  /** Writes its context file onto a branch, or, `direct`, as it is. Rejects with a Fault. */
  propose(id: string, direct: boolean): Promise<Proposed>;
}

export class HttpKnowledge implements KnowledgeApi {
  constructor(private readonly transport: Transport) {}

  list = () => this.transport.json<SharedList>('GET', 'api/knowledge');

  async blast(id: string, signal: AbortSignal): Promise<Blast> {
    return (await (await this.transport.send('GET', `${one(id)}/blast`, undefined, { signal })).json()) as Blast;
  }

  offer = (correction_id: string) => this.sent<Reviewed>('api/knowledge', { correction_id });

  write = (d: Description) => this.sent<Reviewed>('api/knowledge/written', d);

  describe = (id: string, d: Description) => this.sent<Reviewed>(`${one(id)}/description`, d);

  async forget(id: string): Promise<void> {
    await this.transport.send('DELETE', one(id));
  }

  decide = (id: string, verdict: Verdict, reason: string) =>
    this.sent<Reviewed>(`${one(id)}/decisions`, { verdict, reason });

  direct = (id: string, to: Reach) => this.sent<Reviewed>(`${one(id)}/reach`, to);

  judge = (id: string) => this.transport.json<Reviewed>('POST', `${one(id)}/judgments`);

  propose = (id: string, direct: boolean) => this.sent<Proposed>(`${one(id)}/proposal`, { direct });

  private async sent<Result>(path: string, body: unknown): Promise<Result> {
    return (await (await this.transport.send('POST', path, body)).json()) as Result;
  }
}

const one = (id: string) => `api/knowledge/${encodeURIComponent(id)}`;
