import type { Backend } from '../api/backend';
import { asFault, Fault } from '../api/fault';
import type { Workspace } from '../api/types';
import { say } from '../text';
import type { Problem } from '../turn';

/** The workspace as the page knows it: its name, sources, model and questions to start with. */
export class WorkspaceController {
  now = $state<Workspace | null>(null);
  problem = $state<Problem | null>(null);
  loading = $state(false);
  private readonly backend: Backend;

  constructor(backend: Backend) {
    this.backend = backend;
  }

  async load(): Promise<void> {
    this.loading = true;
    try {
      this.now = await this.backend.workspace();
      this.problem = null;
    } catch (thrown) {
      this.problem = asFault(thrown, new Fault('internal', say('window.error.workspace')));
    } finally {
      this.loading = false;
    }
  }

  /** Does what a problem offers. Rejects with a Fault. */
  async repair(problem: string, how: string): Promise<void> {
    this.replace(await this.backend.data.repair(problem, how));
  }

  /** Takes over what an import says about the workspace afterwards. */
  replace(workspace: Workspace): void {
    this.now = workspace;
    this.problem = null;
  }
}
