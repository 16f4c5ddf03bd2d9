import { SvelteSet } from 'svelte/reactivity';
import type { BranchesApi } from '../api/branches';
import { asFault, Fault } from '../api/fault';
import type { BranchHead } from '../api/types';
import { familyRows } from '../family';
import { say } from '../text';
import type { Problem } from '../turn';

/** The branches of a session, and where it comes from itself, while somebody looks at them. */
export class FamilyController {
  /** The session whose family is shown; null: nobody looks. */
  of = $state<string | null>(null);
  heads = $state.raw<BranchHead[]>([]);
  /** The family was read at least once since it was opened. */
  loaded = $state(false);
  problem = $state.raw<Problem | null>(null);
  /** Sessions whose branches are folded away. */
  readonly folded = new SvelteSet<string>();
  readonly rows = $derived(familyRows(this.heads, this.folded));

  constructor(private readonly api: BranchesApi) {}

  /** Shows the family of a session. */
  async open(sessionId: string): Promise<void> {
    this.of = sessionId;
    this.heads = [];
    this.loaded = false;
    this.problem = null;
    this.folded.clear();
    try {
      const heads = await this.api.tree(sessionId);
      if (this.of === sessionId) this.heads = heads;
    } catch (thrown) {
      if (this.of === sessionId) this.problem = asFault(thrown, new Fault('internal', say('window.family.failed')));
    } finally {
      if (this.of === sessionId) this.loaded = true;
    }
  }

  /** Shows what goes on from a session, or folds it away. */
  fold(id: string, folded: boolean): void {
    if (folded) this.folded.add(id);
    else this.folded.delete(id);
  }

  close(): void {
    this.of = null;
  }
}
