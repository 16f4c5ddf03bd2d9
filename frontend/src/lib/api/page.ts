import type { PageState } from './types';
import type { Transport } from './transport';

/** How the window stood, kept by the program for its person. */
export interface PageApi {
  load(): Promise<PageState>;
  /** Keeps values under their names; null forgets one. `last`: the page is being left. Rejects with a Fault. */
  keep(values: { name: string; value: string | null }[], last?: boolean): Promise<void>;
}

export class HttpPage implements PageApi {
  constructor(private readonly transport: Transport) {}

  load = () => this.transport.json<PageState>('GET', 'api/page');

  async keep(values: { name: string; value: string | null }[], last = false): Promise<void> {
    await this.transport.send('PATCH', 'api/page', { values }, { keepalive: last });
  }
}
