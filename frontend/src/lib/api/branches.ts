import type { Transport } from './transport';
import type { BranchHead } from './types';

/** Where a session goes on from another one: after a question, counted from 1, or from one artifact. */
export type BranchPoint = { turn: number } | { from_artifact: string };

/** Sessions that go on from a turn or an artifact of another one. */
export interface BranchesApi {
  /** Begins one, and gives its name. Rejects with a Fault. */
  begin(sessionId: string, from: BranchPoint): Promise<string>;
  /** The whole family of a session in pre-order: where it comes from, and all that goes on from there. */
  tree(sessionId: string): Promise<BranchHead[]>;
}

export class HttpBranches implements BranchesApi {
  constructor(private readonly transport: Transport) {}

  async begin(sessionId: string, from: BranchPoint): Promise<string> {
    const response = await this.transport.send('POST', `api/sessions/${encodeURIComponent(sessionId)}/fork`, from);
    return ((await response.json()) as { session_id: string }).session_id;
  }

  async tree(sessionId: string): Promise<BranchHead[]> {
    const path = `api/sessions/${encodeURIComponent(sessionId)}/tree`;
    return (await this.transport.json<{ sessions: BranchHead[] | null }>('GET', path)).sessions ?? [];
  }
}
