import { randomId } from '../random-id';
import type { FoundMinds, LeavingView, MindCheck, MindsView, MindTried, PulledModel, SealedView } from './types';
import type { Transport } from './transport';

export type Provider = 'ollama' | 'anthropic' | 'openai';
export type Keyed = 'anthropic' | 'openai';

/** Who may think: the embedded mind, and language models. */
export interface MindsApi {
  /** What is known without asking anybody. */
  load(): Promise<MindsView>;
  /** Asks a provider which models it has. */
  find(provider: Provider): Promise<FoundMinds>;
  /** What would leave this machine for a mind. */
  leaving(mind: string): Promise<LeavingView>;
  /** Tries a mind; `hear` gets each check as it is known. */
  tryOut(mind: string, hear: (check: MindCheck) => void, signal: AbortSignal): Promise<MindTried>;
  /** Has Ollama fetch a model from the internet; `hear` gets how far it is. Resolves with the mind that it is. */
  pull(model: string, hear: (at: PulledModel) => void, signal: AbortSignal): Promise<string>;
  /** Keeps a key, or holds it until the program ends. It is never given back. */
  setKey(provider: Keyed, key: string, forNow: boolean): Promise<MindsView>;
  forgetKey(provider: Keyed): Promise<MindsView>;
  /** Opens the keys with their passphrase, or puts them behind one. */
  passphrase(passphrase: string, choose: boolean): Promise<MindsView>;
  /** Tries to leave this machine while nothing may. */
  sealed(): Promise<SealedView>;
}

export class HttpMinds implements MindsApi {
  constructor(private readonly transport: Transport) {}

  load = () => this.transport.json<MindsView>('GET', 'api/minds');

  find = (provider: Provider) => this.post<FoundMinds>('api/minds/find', { provider });

  leaving = (mind: string) =>
    this.transport.json<LeavingView>('GET', `api/minds/leaving?mind=${encodeURIComponent(mind)}`);

  tryOut(mind: string, hear: (check: MindCheck) => void, signal: AbortSignal): Promise<MindTried> {
    const body = { mind, request_id: randomId() };
    return this.transport.stream<MindTried>('api/minds/test', body, signal, 'done', (event, data) => {
      if (event === 'check') hear(data as MindCheck);
    });
  }

  async pull(model: string, hear: (at: PulledModel) => void, signal: AbortSignal): Promise<string> {
    const body = { model, request_id: randomId() };
    const done = await this.transport.stream<{ mind: string }>(
      'api/minds/pull',
      body,
      signal,
      'done',
      (event, data) => {
        if (event === 'progress') hear(data as PulledModel);
      },
    );
    return done.mind;
  }

  setKey = (provider: Keyed, key: string, for_now: boolean) =>
    this.post<MindsView>('api/minds/keys', { provider, key, for_now });

  async forgetKey(provider: Keyed): Promise<MindsView> {
    return (await (await this.transport.send('DELETE', `api/minds/keys/${provider}`)).json()) as MindsView;
  }

  passphrase = (passphrase: string, choose: boolean) =>
    this.post<MindsView>('api/minds/passphrase', { passphrase, choose });

  sealed = () => this.post<SealedView>('api/minds/sealed', {});

  private async post<Result>(path: string, body: object): Promise<Result> {
    return (await (await this.transport.send('POST', path, body)).json()) as Result;
  }
}
