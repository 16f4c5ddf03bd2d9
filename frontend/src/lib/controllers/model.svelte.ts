import { asFault, Fault } from '../api/fault';
import type { ModelApi } from '../api/model';
import type {
  ContextEdit,
  ContextFile,
  ModelCatalogue,
  ModelCheck,
  ModelEntry,
  ModelField,
  SessionModel,
} from '../api/types';
import { say } from '../text';
import type { Problem } from '../turn';

const settle = 200;

/** Files that are being edited: what they were, what they are to be, and what is said of that. */
export class Draft {
  files = $state<{ path: string; text: string; was: string; base: string }[]>([]);
  check = $state.raw<ModelCheck | null>(null);
  problem = $state.raw<Problem | null>(null);
  saving = $state(false);
  /** What stands on disk now, where somebody else has changed it meanwhile. */
  theirs = $state.raw<ContextFile | null>(null);
  readonly changed = $derived(this.files.filter((file) => file.text !== file.was || file.base === ''));
  readonly edits = $derived(this.changed.map(({ path, text, base }): ContextEdit => ({ path, text, base })));
  readonly wrong = $derived((this.check?.problems ?? []).filter(({ severity }) => severity === 'error'));

  constructor(files: ContextFile[]) {
    this.files = files.map(({ path, text, hash }) => ({ path, text, was: text, base: hash }));
  }
}

/** The model: everything in it, what of it is looked at, and what is being edited. */
export class ModelController {
  now = $state.raw<ModelCatalogue | null>(null);
  problem = $state.raw<Problem | null>(null);
  search = $state('');
  draft = $state.raw<Draft | null>(null);
  readonly byId = $derived(new Map((this.now?.objects ?? []).map((entry) => [entry.id, entry])));
  readonly found = $derived(findIn(this.now?.objects ?? [], this.search));
  readonly inferred = $derived((this.now?.objects ?? []).filter((entry) => entry.inferred));
  private readonly api: ModelApi;
  private readonly changed: () => void;
  private readonly later: (work: () => void) => () => void;
  private abort: AbortController | null = null;
  private stop: () => void = () => undefined;

  /** `changed` hears that the model is another one. */
  constructor(api: ModelApi, changed: () => void = () => undefined, later = soon) {
    this.api = api;
    this.changed = changed;
    this.later = later;
  }

  async load(): Promise<void> {
    try {
      this.now = await this.api.catalogue();
      this.problem = null;
    } catch (thrown) {
      this.problem = problemOf(thrown, say('window.model.no_model'));
    }
  }

  /** Opens the file of an object to be edited. */
  edit(entry: ModelEntry): Promise<void> {
    return this.editFile(entry.file);
  }

  /** Opens a file of the model to be edited, whatever is wrong with it. */
  async editFile(path: string): Promise<void> {
    await this.open(async () => [await this.api.file(path)]);
  }

  /** Opens what is inferred as files to be looked over, without what is left out. */
  async propose(leaveOut: string[]): Promise<void> {
    await this.open(() => this.api.proposal(leaveOut));
    this.look(0);
  }

  /** What came with a session; null: nothing is known of it. */
  async travelled(sessionId: string): Promise<SessionModel | null> {
    try {
      return await this.api.travelled(sessionId);
    } catch {
      return null; // there is nothing to offer
    }
  }

  /** Opens files that came with a session to be looked over. Nothing is written before somebody saves them. */
  async review(files: ContextFile[]): Promise<void> {
    await this.open(async () => files);
    this.look(0);
  }

  leave(): void {
    this.stop();
    this.draft = null;
  }

  /** A file is to say something else. */
  write(path: string, text: string): void {
    const file = this.draft?.files.find((known) => known.path === path);
    if (!file || file.text === text) return;
    file.text = text;
    this.look();
  }

  /** Changes fields of an object in the text of its file, as it stands in the editor. */
  async put(entry: ModelEntry, line: number, fields: ModelField[]): Promise<void> {
    const draft = this.draft;
    const file = draft?.files.find((known) => known.path === entry.file);
    if (!draft || !file) return;
    try {
      this.write(file.path, await this.api.fields(file.text, line, fields));
      draft.problem = null;
    } catch (thrown) {
      draft.problem = problemOf(thrown, say('window.model.no_fields'));
    }
  }

  /** Writes what was edited. Where somebody else was faster, nothing is written and both texts are there. */
  async save(): Promise<boolean> {
    const draft = this.draft;
    if (!draft || draft.saving || draft.edits.length === 0) return false;
    draft.saving = true;
    try {
      this.now = await this.api.save(draft.edits);
      this.leave();
      this.changed();
      return true;
    } catch (thrown) {
      draft.problem = problemOf(thrown, say('window.model.no_save'));
      if (draft.problem.code === 'conflict') await this.fetchTheirs(draft);
      return false;
    } finally {
      draft.saving = false;
    }
  }

  /** The person has seen what stands on disk now, and goes on with that text or with the own one in its place. */
  takeBase(own: boolean): void {
    const { draft } = this;
    const theirs = draft?.theirs;
    const file = draft?.files.find(({ path }) => path === theirs?.path);
    if (!draft || !theirs || !file) return;
    file.base = theirs.hash;
    file.was = theirs.text;
    if (!own) file.text = theirs.text;
    draft.theirs = null;
    draft.problem = null;
    this.look(0);
  }

  private async open(files: () => Promise<ContextFile[]>): Promise<void> {
    try {
      this.draft = new Draft(await files());
      this.problem = null;
    } catch (thrown) {
      this.problem = problemOf(thrown, say('window.model.no_file'));
    }
  }

  private async fetchTheirs(draft: Draft): Promise<void> {
    for (const file of draft.files) {
      const now = await this.api.file(file.path).catch(() => null);
      if (now && now.hash !== file.base) {
        draft.theirs = now;
        return;
      }
    }
  }

  private look(after = settle): void {
    this.stop();
    if (after === 0) void this.examine();
    else this.stop = this.later(() => void this.examine());
  }

  private async examine(): Promise<void> {
    const { draft } = this;
    if (!draft) return;
    if (draft.edits.length === 0) {
      draft.check = null;
      return;
    }
    this.abort?.abort();
    const abort = new AbortController();
    this.abort = abort;
    const sent = draft.edits;
    try {
      const check = await this.api.check(sent, abort.signal);
      if (!abort.signal.aborted) draft.check = check;
    } catch (thrown) {
      if (!abort.signal.aborted) draft.problem = problemOf(thrown, say('window.model.no_check'));
    }
  }
}

const soon = (work: () => void) => {
  const timer = setTimeout(work, settle);
  return () => clearTimeout(timer);
};

function problemOf(thrown: unknown, message: string): Problem {
  const { code, message: said, hint } = asFault(thrown, new Fault('internal', message));
  return { code, message: said, hint };
}

/** The entries that hold all words of a search, those whose name does first. */
export function findIn(entries: ModelEntry[], search: string): ModelEntry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries;
  const rank = (entry: ModelEntry): number => {
    const name = `${entry.name} ${entry.label}`.toLowerCase();
    const all = [name, entry.description, entry.unit, entry.type, ...entry.synonyms, ...entry.tags]
      .join(' ')
      .toLowerCase();
    if (!words.every((word) => all.includes(word))) return -1;
    return words.every((word) => name.includes(word)) ? 1 : 0;
  };
  return entries
    .map((entry) => ({ entry, at: rank(entry) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => b.at - a.at)
    .map(({ entry }) => entry);
}
