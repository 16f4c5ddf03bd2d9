import type { BranchesApi, BranchPoint } from './api/branches';
import { asFault, Fault } from './api/fault';
import type { Answer } from './api/types';
import { say } from './text';
import type { Problem } from './turn';

/** Sessions that go on from a turn or an artifact of another one. The other one stays as it is. */
export class Branches {
  /** Why the last one did not come to be. */
  problem = $state.raw<Problem | null>(null);
  private beginning = false;

  constructor(
    private readonly api: BranchesApi,
    private readonly open: (sessionId: string) => Promise<void>,
  ) {}

  /** Begins a session that goes on from the turn of an answer, or from an artifact of it, and opens it. */
  async from(answer: Answer | null | undefined, artifact = ''): Promise<void> {
    if (!answer || this.beginning) return;
    this.beginning = true;
    this.problem = null;
    const point: BranchPoint = artifact ? { from_artifact: artifact } : { turn: answer.turn };
    try {
      await this.open(await this.api.begin(answer.session_id, point));
    } catch (thrown) {
      const { code, message, hint } = asFault(thrown, new Fault('internal', say('window.branch.failed')));
      this.problem = { code, message, hint };
    } finally {
      this.beginning = false;
    }
  }
}
