import type { Diagnostics, Settings, SettingsView } from './types';
import type { Transport } from './transport';

/** What the person of this window chose. */
export interface SettingsApi {
  load(): Promise<SettingsView>;
  /** Keeps settings and lets them hold. Rejects with a Fault when one of them cannot be. */
  choose(settings: Settings): Promise<SettingsView>;
  /** What helps to find out why something does not work; it holds no data. */
  diagnostics(): Promise<Diagnostics>;
}

export class HttpSettings implements SettingsApi {
  constructor(private readonly transport: Transport) {}

  load = () => this.transport.json<SettingsView>('GET', 'api/settings');

  async choose(settings: Settings): Promise<SettingsView> {
    const response = await this.transport.send('PATCH', 'api/settings', settings, { keepalive: true }); // also of a tab that is closed now
    return (await response.json()) as SettingsView;
  }

  diagnostics = () => this.transport.json<Diagnostics>('GET', 'api/diagnostics');
}
