import { asFault, Fault } from '../api/fault';
import type { Keyed, MindsApi, Provider } from '../api/minds';
import type { FoundMinds, LeavingView, MindCheck, MindsView, MindTried, PulledModel, SealedView } from '../api/types';
import { say } from '../text';
import type { Problem } from '../turn';
import type { SettingsController } from './settings.svelte';

/** A mind as a person chooses it. */
export interface MindChoice {
  mind: string;
  label: string;
  local: boolean;
}

// OpenAI lists them among models that answer in words, which is why these alone are shown of it.
const ofOpenAI = ['openai:text-embedding-3-small', 'openai:text-embedding-3-large'];

/** A model that Ollama fetches, or fetched: how far that is, and how it ended. */
export interface Fetching {
  model: string;
  at: PulledModel | null;
  is: 'running' | 'done' | 'stopped' | 'failed';
  problem: Problem | null;
}

/** Who may think: what was found, tried and chosen. */
export class MindsController {
  view = $state.raw<MindsView | null>(null);
  /** What the providers said, by name. */
  found = $state.raw<Partial<Record<Provider, FoundMinds>>>({});
  /** The provider that is being asked. */
  finding = $state<Provider | null>(null);
  leaving = $state.raw<LeavingView | null>(null);
  sealed = $state.raw<SealedView | null>(null);
  /** The mind that is being tried, or was, and what came of it so far. */
  trying = $state<string | null>(null);
  checks = $state.raw<MindCheck[]>([]);
  tried = $state.raw<MindTried | null>(null);
  running = $state(false);
  problem = $state.raw<Problem | null>(null);
  /** The last model that was to be fetched; null: none was. */
  fetching = $state.raw<Fetching | null>(null);
  /** Who thinks in this session; empty: as the settings say. */
  here = $state('');

  /** Who thinks about the next question. */
  readonly now = $derived(this.here || this.view?.mind || 'embedded');
  readonly choices = $derived(this.all());
  /** A model of Ollama that is to think, and that its server has not; empty: none. */
  readonly absent = $derived(this.chosenAbsent());
  private abort: AbortController | null = null;
  private pulling: AbortController | null = null;

  constructor(
    private readonly api: MindsApi,
    private readonly settings: SettingsController,
  ) {}

  /** Looks what there is, and whether Ollama is there, when that is this machine. */
  async load(): Promise<void> {
    await this.take(() => this.api.load());
    if (this.view) void this.find('ollama');
  }

  async find(provider: Provider): Promise<void> {
    this.finding = provider;
    await this.work(async () => {
      this.found = { ...this.found, [provider]: await this.api.find(provider) };
    });
    if (this.finding === provider) this.finding = null;
  }

  /** Lets a mind think from now on, in every session. */
  async choose(mind: string): Promise<void> {
    const minds = this.settings.now?.minds;
    if (!minds) return;
    await this.settings.choose({ minds: { ...minds, mind } });
    this.here = '';
    await this.reload();
  }

  /** What is known anew, after a setting changed. */
  async reload(): Promise<void> {
    await this.take(() => this.api.load());
    await this.look(this.now);
  }

  /** Looks what would leave this machine for a mind. */
  async look(mind: string): Promise<void> {
    await this.work(async () => {
      this.leaving = await this.api.leaving(mind);
    });
  }

  async tryOut(mind: string): Promise<void> {
    this.stop();
    const abort = new AbortController();
    this.abort = abort;
    this.trying = mind;
    this.checks = [];
    this.tried = null;
    this.running = true;
    try {
      const hear = (check: MindCheck) => {
        if (!abort.signal.aborted) this.checks = [...this.checks, check];
      };
      const tried = await this.api.tryOut(mind, hear, abort.signal);
      if (!abort.signal.aborted) this.tried = tried;
      this.problem = null;
    } catch (thrown) {
      if (!abort.signal.aborted) this.problem = asFault(thrown, new Fault('internal', say('window.minds.failed')));
    } finally {
      if (this.abort === abort) this.running = false;
    }
  }

  stop(): void {
    this.abort?.abort();
    this.abort = null;
    this.running = false;
  }

  /** Has Ollama fetch a model. It goes on while something else is looked at, and what was fetched is kept where it is stopped. */
  async fetch(model: string): Promise<void> {
    if (this.fetching?.is === 'running') return;
    const abort = new AbortController();
    this.pulling = abort;
    const tell = (part: Partial<Fetching>) => {
      this.fetching = { model, at: null, is: 'running', problem: null, ...this.fetching, ...part };
    };
    this.fetching = null;
    tell({});
    try {
      await this.api.pull(model, (at) => !abort.signal.aborted && tell({ at }), abort.signal);
      tell({ is: 'done' });
      await this.find('ollama');
    } catch (thrown) {
      if (abort.signal.aborted) tell({ is: 'stopped' });
      else tell({ is: 'failed', problem: asFault(thrown, new Fault('internal', say('window.minds.failed'))) });
    }
  }

  stopFetching(): void {
    this.pulling?.abort();
  }

  /** Resolves with whether the key was kept. */
  setKey(provider: Keyed, key: string, forNow: boolean): Promise<boolean> {
    return this.take(() => this.api.setKey(provider, key, forNow));
  }

  forgetKey(provider: Keyed): Promise<boolean> {
    this.found = { ...this.found, [provider]: undefined };
    return this.take(() => this.api.forgetKey(provider));
  }

  passphrase(passphrase: string, choose: boolean): Promise<boolean> {
    return this.take(() => this.api.passphrase(passphrase, choose));
  }

  async seal(): Promise<void> {
    await this.work(async () => {
      this.sealed = await this.api.sealed();
    });
  }

  private take(ask: () => Promise<MindsView>): Promise<boolean> {
    return this.work(async () => {
      this.view = await ask();
    });
  }

  private async work(act: () => Promise<void>): Promise<boolean> {
    try {
      await act();
      this.problem = null;
      return true;
    } catch (thrown) {
      this.problem = asFault(thrown, new Fault('internal', say('window.minds.failed')));
      return false;
    }
  }

  /** The models that may give vectors, and the one that is chosen though it was not found now. */
  embedders(chosen: string): MindChoice[] {
    const all = (['ollama', 'openai'] as const).flatMap((provider) =>
      (this.found[provider]?.models ?? []).map(({ mind, local }) => ({ mind, label: mind, local })),
    );
    if (this.found.openai?.host === 'api.openai.com')
      for (const mind of ofOpenAI) all.push({ mind, label: mind, local: false });
    if (chosen && !all.some(({ mind }) => mind === chosen)) all.unshift({ mind: chosen, label: chosen, local: false });
    return all;
  }

  private chosenAbsent(): string {
    const ollama = this.found.ollama;
    const mind = this.view?.mind ?? '';
    if (!ollama?.there || !mind.startsWith('ollama:') || ollama.models.some((one) => one.mind === mind)) return '';
    return mind.slice('ollama:'.length);
  }

  // The embedded mind, what was found, and what is chosen though it was not found now.
  private all(): MindChoice[] {
    const all: MindChoice[] = [{ mind: 'embedded', label: say('window.minds.embedded'), local: true }];
    for (const provider of ['ollama', 'anthropic', 'openai'] as const)
      for (const { mind, local } of this.found[provider]?.models ?? []) all.push({ mind, label: mind, local });
    for (const mind of [this.view?.mind, this.here])
      if (mind && !all.some((one) => one.mind === mind))
        all.push({ mind, label: mind, local: mind === this.view?.mind ? this.view.local : false });
    return all;
  }
}
