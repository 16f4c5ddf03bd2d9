import type { Backend, SessionChange } from '../api/backend';
import { asFault, Fault } from '../api/fault';
import type { FoundSession } from '../found';
import { forgetDraft } from './report.svelte';
import { SessionSearch } from './session-search.svelte';
import type { SessionHead } from '../api/types';
import { say } from '../text';
import type { Problem } from '../turn';
import { undoing, type Deed, type Undoing } from '../undo.svelte';

/** What was done to a session a moment ago, and is offered to be taken back beside the list. */
export interface Undoable {
  what: 'removed' | 'archived';
  head: SessionHead;
  deed: Deed;
}

/** The list of sessions in the drawer. */
export class SessionsController {
  all = $state<SessionHead[]>([]);
  /** Those are shown that are out of sight otherwise. */
  archived = $state(false);
  /** The list was read at least once. */
  loaded = $state(false);
  problem = $state<Problem | null>(null);
  private offered = $state.raw<Undoable | null>(null);
  /** Those that are in sight. */
  readonly shown = $derived(this.all.filter((head) => head.archived === this.archived));
  /** How many are not. */
  readonly hidden = $derived(this.all.length - this.shown.length);
  /** The search through all of them. */
  readonly search: SessionSearch;
  /** The session that is about to be deleted for good, when the person says so once more. */
  erasing = $state.raw<SessionHead | null>(null);
  private readonly backend: Backend;
  private readonly undoing: Undoing;
  /** What was done last, as long as it is the last thing that was done at all. */
  readonly undoable = $derived.by(() => (this.offered?.deed === this.undoing.last ? this.offered : null));

  constructor(backend: Backend, undone = undoing) {
    this.backend = backend;
    this.undoing = undone;
    this.search = new SessionSearch(backend.sessionLife);
  }

  async load(): Promise<void> {
    await this.try(async () => {
      this.all = await this.backend.sessions();
      this.loaded = true;
    });
  }

  /** A session that was found, as the list has it; of one that came since, what the search says of it. */
  head(found: Omit<FoundSession, 'hits'>): SessionHead {
    const { id, title, at, pinned, archived } = found;
    const known = this.all.find((head) => head.id === id);
    return known ?? { id, title, pinned, archived, created: at, updated: at, turns: 0, imported: false };
  }

  async rename(id: string, title: string): Promise<void> {
    const name = title.trim();
    const before = this.all.find((head) => head.id === id)?.title ?? '';
    if (name === '' || !(await this.change(id, { title: name })) || before === '') return;
    this.did(say('window.undoing.session_renamed', { name }), [id, { title: before }], [id, { title: name }]);
  }

  async pin(head: SessionHead, pinned: boolean): Promise<boolean> {
    const done = await this.change(head.id, { pinned });
    const name = titleOf(head);
    if (done)
      this.did(
        say(pinned ? 'window.undoing.session_pinned' : 'window.undoing.session_unpinned', { name }),
        [head.id, head.archived ? { archived: true } : { pinned: !pinned }],
        [head.id, { pinned }],
      );
    return done;
  }

  async archive(head: SessionHead, archived: boolean): Promise<void> {
    if (!(await this.change(head.id, { archived }))) return;
    const name = titleOf(head);
    const deed = this.did(
      say(archived ? 'window.undoing.session_archived' : 'window.undoing.session_unarchived', { name }),
      [head.id, head.pinned ? { pinned: true } : { archived: !archived }],
      [head.id, { archived }],
    );
    this.offered = archived ? { what: 'archived', head, deed } : null;
  }

  /** Deletes a session. It can be taken back. False: it could not be deleted. */
  async remove(head: SessionHead): Promise<boolean> {
    const remove = () =>
      this.try(async () => {
        await this.backend.removeSession(head.id);
        this.all = this.all.filter((known) => known.id !== head.id);
        await this.search.again();
      });
    if (!(await remove())) return false;
    const deed = {
      about: head.id,
      what: say('window.undoing.session_removed', { name: titleOf(head) }),
      undo: () =>
        this.try(async () => {
          await this.backend.restoreSession(head.id);
          if (head.pinned) await this.backend.changeSession(head.id, { pinned: true });
          this.all = await this.backend.sessions();
          await this.search.again();
        }),
      redo: remove,
    };
    this.undoing.did(deed);
    this.offered = { what: 'removed', head, deed };
    return true;
  }

  /** Deletes a session so that nothing brings it back: the person was asked. False: it could not be deleted. */
  async erase(head: SessionHead): Promise<boolean> {
    const gone = await this.try(async () => {
      await this.backend.sessionLife.erase(head.id).catch((thrown: unknown) => {
        // It is gone already.
        if (!(thrown instanceof Fault && thrown.code === 'not_found')) throw thrown;
      });
      this.all = this.all.filter((known) => known.id !== head.id);
      await this.search.again();
    });
    if (!gone) return false;
    this.undoing.forget(head.id);
    forgetDraft(head.id);
    if (this.erasing?.id === head.id) this.erasing = null;
    return true;
  }

  /** Takes back what is offered to be, and gives the session that it was done to. */
  async undo(): Promise<SessionHead | null> {
    const last = this.undoable;
    return last && (await this.undoing.undo()) ? last.head : null;
  }

  /** Offers nothing any more; it can be taken back all the same. */
  settle(): void {
    this.offered = null;
  }

  // What is pinned is not archived, and the other way round: one change leads back.
  private did(what: string, back: Step, again: Step): Deed {
    const deed = { about: back[0], what, undo: () => this.change(...back), redo: () => this.change(...again) };
    this.undoing.did(deed);
    return deed;
  }

  // The order is the program's, so that the list is read again.
  private change(id: string, change: SessionChange): Promise<boolean> {
    return this.try(async () => {
      await this.backend.changeSession(id, change);
      this.all = await this.backend.sessions();
    });
  }

  private async try(action: () => Promise<void>): Promise<boolean> {
    try {
      await action();
      this.problem = null;
      return true;
    } catch (thrown) {
      this.problem = asFault(thrown, new Fault('internal', say('window.error.sessions')));
      return false;
    }
  }
}

type Step = [id: string, change: SessionChange];

const titleOf = (head: SessionHead): string => head.title || say('window.session.untitled');
