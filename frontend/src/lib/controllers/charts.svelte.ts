import { asFault, Fault } from '../api/fault';
import type { ChartsApi } from '../api/charts';
import type { Marked, NextQuestion, View } from '../api/types';
import { say } from '../text';
import type { Problem } from '../turn';
import { undoing } from '../undo.svelte';

/** How the person looks at the answers of the page, kept with their turns. What is shown changes at once; the program hears of it behind. */
export class ChartsController {
  private views = $state.raw<ReadonlyMap<string, View>>(new Map());
  /** Why the last change was not kept. */
  problem = $state.raw<Problem | null>(null);
  private readonly saving = new Map<string, { now: boolean; next: View | null }>();

  constructor(
    private readonly api: ChartsApi,
    private readonly undone = undoing,
  ) {}

  /** How an answer is looked at now; null: nobody changed it on this page. */
  viewOf(requestId: string): View | null {
    return this.views.get(requestId) ?? null;
  }

  /** Changes how an answer is looked at. */
  async look(requestId: string, view: View): Promise<void> {
    this.views = new Map(this.views).set(requestId, view);
    const line = this.saving.get(requestId) ?? { now: false, next: null };
    this.saving.set(requestId, line);
    line.next = view;
    if (line.now) return; // the one under way takes the newest along
    line.now = true;
    try {
      while (line.next) {
        const next = line.next;
        line.next = null;
        await this.api.saveView(requestId, next);
        this.problem = null;
      }
    } catch (thrown) {
      this.problem = asFault(thrown, new Fault('internal', say('window.chart.not_kept')));
    } finally {
      line.now = false;
    }
  }

  /** Changes how an answer is looked at, as something that can be taken back. `what` says what was done, `from` how it was. */
  edit(requestId: string, from: View, to: View, what: string): Promise<void> {
    if (JSON.stringify(from) === JSON.stringify(to)) return Promise.resolve();
    this.undone.did({ what, undo: () => this.look(requestId, from), redo: () => this.look(requestId, to) });
    return this.look(requestId, to);
  }

  /** The questions that marks lead to. Rejects with a Fault. */
  narrow(requestId: string, marked: Marked): Promise<NextQuestion[]> {
    return this.api.narrow(requestId, marked);
  }
}
