import { recall, remember } from '../storage';

export type ThemeChoice = 'system' | 'light' | 'dark';

const choices: ThemeChoice[] = ['system', 'light', 'dark'];

/** Light or dark: as the system says, or as the person chose. The page reads it from <html data-theme>. */
export class Theme {
  choice = $state<ThemeChoice>('system');
  private systemDark = $state(false);
  readonly dark = $derived(this.choice === 'dark' || (this.choice === 'system' && this.systemDark));

  constructor() {
    const stored = recall('theme');
    this.choice = choices.find((choice) => choice === stored) ?? 'system';
    const query = typeof matchMedia === 'undefined' ? null : matchMedia('(prefers-color-scheme: dark)');
    this.systemDark = query?.matches ?? false;
    query?.addEventListener('change', (event) => {
      this.systemDark = event.matches;
      this.show();
    });
    this.show();
  }

  choose(choice: ThemeChoice): void {
    this.choice = choice;
    remember('theme', choice);
    this.show();
  }

  private show(): void {
    document.documentElement.dataset.theme = this.dark ? 'dark' : 'light';
  }
}
