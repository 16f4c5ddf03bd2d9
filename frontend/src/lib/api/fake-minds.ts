import type { Fault } from './fault';
import type { Keyed, MindsApi, Provider } from './minds';
import type { FoundMinds, LeavingView, MindCheck, MindsView, MindTried, PulledModel } from './types';

const budget = { calls: 0, tokens: 0, seconds: 0, usd: 0 };

/** Who may think, for tests: values that a test puts in, and what was asked. */
export class FakeMinds implements MindsApi {
  failure: Fault | null = null;
  view: MindsView = {
    mind: 'embedded',
    local: true,
    host: '',
    local_only: true,
    embedding: {
      chosen: '',
      ready: false,
      text: 'The embedder that is built in finds what is alike.',
      leaves: 'Nothing.',
    },
    keys: { status: { store: 'keyring', state: 'ready', message: 'In the keyring.', hint: '' }, keys: [] },
    spent: { day: '2026-01-15', ...budget },
    bounds: budget,
  };
  found: Partial<Record<Provider, FoundMinds>> = {};
  checks: MindCheck[] = [];
  tried: string[] = [];
  pulled: string[] = [];
  parts: PulledModel[] = [];
  /** A server that never comes to the end of a model. */
  hangs = false;
  keys: [Keyed, string, boolean][] = [];
  forgotten: Keyed[] = [];
  passphrases: [string, boolean][] = [];

  load = async () => this.view;

  async find(provider: Provider): Promise<FoundMinds> {
    this.fail();
    const none = { host: '', local: true, there: false, version: '', models: [], message: 'Nobody answers.', hint: '' };
    return this.found[provider] ?? { provider, ...none };
  }

  leaving = async (mind: string): Promise<LeavingView> => ({
    mind,
    host: '',
    local: true,
    held: false,
    summary: 'Nothing.',
    parts: [],
  });

  async tryOut(mind: string, hear: (check: MindCheck) => void, signal: AbortSignal): Promise<MindTried> {
    this.tried.push(mind);
    this.fail();
    for (const check of this.checks) {
      signal.throwIfAborted();
      hear(check);
    }
    return { mind, host: '', local: true, passed: true, ms: 1200, checks: this.checks };
  }

  async pull(model: string, hear: (at: PulledModel) => void, signal: AbortSignal): Promise<string> {
    this.pulled.push(model);
    this.fail();
    for (const at of this.parts) hear(at);
    if (this.hangs) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    return `ollama:${model}`;
  }

  async setKey(provider: Keyed, key: string, forNow: boolean): Promise<MindsView> {
    this.fail();
    this.keys.push([provider, key, forNow]);
    return this.view;
  }

  async forgetKey(provider: Keyed): Promise<MindsView> {
    this.fail();
    this.forgotten.push(provider);
    return this.view;
  }

  async passphrase(passphrase: string, choose: boolean): Promise<MindsView> {
    this.fail();
    this.passphrases.push([passphrase, choose]);
    return this.view;
  }

  sealed = async () => ({ on: true, held: true, attempts: [] });

  private fail(): void {
    if (this.failure) throw this.failure;
  }
}
