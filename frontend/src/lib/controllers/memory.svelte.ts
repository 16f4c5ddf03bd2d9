import { asFault, Fault } from '../api/fault';
import type { Lesson, MemoryApi } from '../api/memory';
import type { Correction, Preference, PreferenceKind, Taught, Work } from '../api/types';
import { say } from '../text';
import type { Problem } from '../turn';
import { undoing } from '../undo.svelte';

/** What the person taught: terms, what they mean in that person's questions, and how answers are to look. */
export class MemoryController {
  all = $state.raw<Correction[]>([]);
  /** What was noted that words of the person may mean, and waits for a word. */
  noted = $state.raw<Correction[]>([]);
  /** What they asked about lately; null until it was asked for. */
  work = $state.raw<Work | null>(null);
  preferences = $state.raw<Preference[]>([]);
  kinds = $state.raw<PreferenceKind[]>([]);
  loaded = $state(false);
  problem = $state.raw<Problem | null>(null);

  constructor(
    private readonly api: MemoryApi,
    private readonly undone = undoing,
  ) {}

  async load(): Promise<void> {
    await this.try(async () => undefined);
  }

  /** Whether what an answer taught is still there: it may be forgotten, or somebody else's. */
  has = (taught: Taught | null | undefined): boolean =>
    !!taught &&
    [...this.all, ...this.preferences].some(({ id }) => id === (taught.correction ?? taught.preference)?.id);

  async loadWork(): Promise<void> {
    this.work = await this.api.work().catch(() => null);
  }

  /** What the changed part of an answer says that a word means, and waits for a word. */
  asks = (requestId: string): Correction | undefined =>
    this.noted.find((one) => one.change && one.request_id === requestId);

  /** Whether what was noted is remembered; null: it is not, undefined: that could not be kept, and `problem` says why. */
  async settle(id: string, remember: boolean): Promise<Taught | null | undefined> {
    let taught: Taught | null | undefined;
    await this.try(async () => (taught = await this.api.settle(id, remember)));
    return taught;
  }

  /** Teaches; null: nothing was kept, and `problem` says why. */
  async teach(lesson: Lesson): Promise<Taught | null> {
    let taught: Taught | null = null;
    if (!(await this.try(async () => (taught = await this.api.teach(lesson))))) return null;
    return taught;
  }

  /** Gives what was taught another term or meaning. */
  async change(correction: Correction, to: { term: string; means: string }): Promise<boolean> {
    const { id, term, means } = correction;
    const put = (as: { term: string; means: string }) => this.try(() => this.api.change(id, as));
    if (!(await put(to))) return false;
    if (to.term === term && to.means === means) return true; // it was said to be right
    this.undone.did({
      about: id,
      what: say('window.undoing.correction_changed', { term }),
      undo: () => put({ term, means }),
      redo: () => put(to),
    });
    return true;
  }

  /** Forgets what was taught. It can be taught again by taking that back. */
  forget = (correction: Pick<Correction, 'id' | 'term' | 'means'>): Promise<boolean> =>
    this.drop(correction, 'window.undoing.correction_forgotten', (id) => this.api.forget(id));

  /** Whether a word still means what an answer taught. */
  means = ({ correction }: Taught): boolean =>
    this.all.some(({ id, means }) => id === correction?.id && means === correction.means);

  /** Has what an answer taught of a word hold in that answer alone; what it took the place of holds again. */
  async narrow({ correction }: Taught): Promise<boolean> {
    if (!correction) return false;
    return this.drop(correction, 'window.undoing.correction_narrowed', (id) => this.api.narrow(id));
  }

  /** Forgets what an answer taught. */
  async unlearn(taught: Taught): Promise<boolean> {
    if (taught.correction) return this.forget(taught.correction);
    const kept = this.preferences.find(({ id }) => id === taught.preference?.id);
    return kept !== undefined && this.prefer(kept.kind, '');
  }

  /** Whether what an answer taught took the place of something, and still stands there. */
  isAnew = ({ correction, preference, before }: Taught): boolean =>
    !!before &&
    (this.all.some(({ id, means }) => id === correction?.id && means === correction.means) ||
      this.preferences.some(({ id, value }) => id === preference?.id && value === preference.value));

  /** Has a word mean what it meant before an answer taught it anew, or answers look as they did. */
  async putBack({ correction, preference, before }: Taught): Promise<boolean> {
    if (correction && before) return this.change(correction, { term: before.term, means: before.means });
    return !!preference && !!before?.value && this.prefer(preference.kind, before.value);
  }

  /** What the person prefers of a kind; empty: nothing. */
  preferred = (kind: string): string => this.preferences.find((one) => one.kind === kind)?.value ?? '';

  /** Chooses how answers look; empty: as they would. */
  async prefer(kind: string, value: string): Promise<boolean> {
    const before = this.preferred(kind);
    if (before === value) return true;
    const put = (to: string) =>
      this.try(async () => {
        const kept = this.preferences.find((one) => one.kind === kind);
        if (to !== '') await this.api.prefer(kind, to);
        else if (kept) await this.api.forgetPreference(kept.id);
      });
    if (!(await put(value))) return false;
    const what = this.kinds.find((one) => one.kind === kind)?.subject ?? kind;
    this.undone.did({
      about: `preference ${kind}`,
      what: say('window.undoing.preference', { what }),
      undo: () => put(before),
      redo: () => put(value),
    });
    return true;
  }

  // Drops what was taught; taken back, it is taught again.
  private async drop(
    { id, term, means }: Pick<Correction, 'id' | 'term' | 'means'>,
    what: 'window.undoing.correction_forgotten' | 'window.undoing.correction_narrowed',
    call: (id: string) => Promise<unknown>,
  ): Promise<boolean> {
    let now = id;
    const redo = () => this.try(() => call(now));
    if (!(await redo())) return false;
    this.undone.did({
      what: say(what, { term }),
      undo: async () => {
        const again = await this.teach({ term, means });
        if (again?.correction) now = again.correction.id;
        return again !== null;
      },
      redo,
    });
    return true;
  }

  // Does something and reads the list anew: another window may have taught too.
  private async try(call: () => Promise<unknown>): Promise<boolean> {
    try {
      await call();
      const [{ corrections, noted }, looks] = await Promise.all([this.api.list(), this.api.preferences()]);
      this.all = corrections;
      this.noted = noted;
      this.preferences = looks.preferences;
      this.kinds = looks.kinds;
      this.loaded = true;
      this.problem = null;
      return true;
    } catch (thrown) {
      this.problem = asFault(thrown, new Fault('internal', say('window.memory.failed')));
      return false;
    }
  }
}
