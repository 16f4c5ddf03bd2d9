import type { Transport } from './transport';

/** Sessions that go on from a turn of another one. */
export interface BranchesApi {
  /** Begins one with the turns up to and with this one, counted from 1, and gives its name. Rejects with a Fault. */
  begin(sessionId: string, turn: number): Promise<string>;
}

export class HttpBranches implements BranchesApi {
  constructor(private readonly transport: Transport) {}

  async begin(sessionId: string, turn: number): Promise<string> {
    const response = await this.transport.send('POST', `api/sessions/${encodeURIComponent(sessionId)}/fork`, {
      turn,
    });
    return ((await response.json()) as { session_id: string }).session_id;
  }
}
