// The actions of the query page, which the palette lists while it is open.
import type { App } from './app.svelte';
import type { Command } from './controllers/commands.svelte';
import type { Saving } from './saving.svelte';
import { say } from './text';

/** The actions of the query page; `run` runs what the editor holds, or says how it would be computed. */
export function queryCommands({ query }: App, run: (explain: boolean) => void, saving: Saving): Command[] {
  const section = say('window.query.title');
  const command = (id: string, title: string, act: () => void, more: Partial<Command> = {}): Command => ({
    id: `query.${id}`,
    title,
    section,
    act,
    ...more,
  });
  return [
    command('run', say('window.query.run_all'), () => run(false), { keys: 'Mod+Enter' }),
    command('explain', say('window.query.explain_all'), () => run(true), { keys: 'Mod+Shift+Enter' }),
    command('cancel', say('window.run.cancel'), () => query.current.run.cancel(), {
      keys: 'Escape',
      when: () => query.current.run.running,
    }),
    command('format', say('window.query.format'), () => void query.format(), {
      keys: 'Alt+Shift+F',
      when: () => query.current.language === 'frame_ql',
    }),
    command('frame_ql', say('window.query.new_frame_ql'), () => query.open('frame_ql')),
    command('sql', say('window.query.new_sql'), () => query.open('sql')),
    command('close', say('window.query.close_tab'), () => query.close(query.current)),
    command('save', say('window.saved.save'), () => void saving.save(), { keys: 'Mod+S' }),
    command('save_as', say('window.saved.save_as'), () => saving.ask(), { when: () => saving.now !== null }),
    command('history', say('window.query.history'), () => query.show('history'), { keys: 'Mod+H' }),
    command('saved', say('window.saved.list'), () => query.show('saved')),
  ];
}
