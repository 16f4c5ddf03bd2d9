import { asFault, Fault } from '../api/fault';
import type { SettingsApi } from '../api/settings';
import type { Settings, SettingsView } from '../api/types';
import { personLocale } from '../locale';
import { say } from '../text';
import type { Problem } from '../turn';
import type { Theme } from './theme.svelte';

/** What the person chose, at once on the page and kept by the program. Until it is loaded, everything is as it is by default. */
export class SettingsController {
  view = $state.raw<SettingsView | null>(null);
  problem = $state.raw<Problem | null>(null);
  readonly now = $derived(this.view?.settings);
  readonly locale = $derived(this.now?.locale || personLocale());
  readonly suggestions = $derived(this.now?.suggestions ?? true);
  readonly followups = $derived(this.now?.followups ?? true);
  readonly narration = $derived(this.now?.narration ?? true);
  private saving: Promise<void> = Promise.resolve();

  constructor(
    private readonly api: SettingsApi,
    private readonly theme: Theme,
  ) {}

  async load(): Promise<void> {
    try {
      this.view = await this.api.load();
      this.problem = null;
      this.show();
    } catch (thrown) {
      this.problem = asFault(thrown, new Fault('internal', say('window.error.settings')));
    }
  }

  /** Changes some settings. They hold at once; when they cannot be kept they are as before, and it says why. */
  async choose(change: Partial<Settings>): Promise<void> {
    const before = this.view;
    if (!before) return;
    this.view = { ...before, settings: { ...before.settings, ...change } };
    this.show();
    // One after the other: the last choice is the one that stays.
    this.saving = this.saving.then(() => this.keep(before));
    await this.saving;
  }

  private async keep(before: SettingsView): Promise<void> {
    const wanted = this.view;
    if (!wanted) return;
    try {
      const kept = await this.api.choose(wanted.settings);
      if (this.view === wanted) this.view = kept;
      this.problem = null;
    } catch (thrown) {
      if (this.view === wanted) this.view = before;
      this.problem = asFault(thrown, new Fault('internal', say('window.error.settings')));
    }
    this.show();
  }

  // What the whole page follows stands on <html>.
  private show(): void {
    const now = this.now;
    if (!now) return;
    this.theme.choose(now.theme);
    const root = document.documentElement;
    root.dataset.density = now.density;
    root.style.setProperty('--zoom', String(now.zoom / 100));
  }
}
