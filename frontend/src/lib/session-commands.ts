// What can be done with the session in view as a whole, as its menu, the palette and the shortcuts have it.
import type { App } from './app.svelte';
import type { Command } from './controllers/commands.svelte';
import { handedTurns } from './handing';
import { offeredBy, type Offered } from './report';
import { say } from './text';

/** The actions on the session in view, in the order of its menu. */
export function sessionCommands(app: App, leave: () => void): Command[] {
  const { session, run, handover } = app;
  const section = say('window.section.session');
  const stored = () => session.id !== null && session.turns.length > 0;
  const still = () => stored() && !run.running;
  const answered = () => still() && session.turns.some(({ answer }) => answer !== null);
  const withId = (act: (id: string) => void) => () => {
    if (session.id) act(session.id);
  };
  return [
    {
      id: 'session.hand_over',
      title: say('window.handing.name'),
      section,
      keys: 'Mod+Shift+E',
      words: say('window.handing.words'),
      when: answered,
      act: withId((id) => handover.handing.open({ id, title: session.title, turns: handedTurns(session.standing) })),
    },
    {
      id: 'session.report',
      title: say('window.report.name'),
      section,
      words: say('window.report.words'),
      when: answered,
      act: withId((id) => handover.report.open({ id, title: session.title, offered: offeredIn(app) })),
    },
    {
      id: 'session.replay',
      title: say('window.replay.name'),
      section,
      when: answered,
      act: withId((id) => handover.replay.open(id, session.title)),
    },
    {
      id: 'session.family',
      title: say('window.family.title'),
      section,
      words: say('window.family.words'),
      when: stored,
      act: withId((id) => void handover.family.open(id)),
    },
    {
      id: 'session.clear',
      title: say('window.clear.name'),
      section,
      when: () => still() && session.imported === null && session.standing.length > 0,
      act: () => void handover.clearing.clear().then(leave),
    },
  ];
}

/** What the session in view offers for a report. */
function offeredIn(app: App): Offered[] {
  const standing = new Set(app.session.standing);
  const all = app.session.turns.map((turn) => {
    const view = app.charts.viewOf(turn.requestId) ?? turn.view;
    return offeredBy({ ...shown(turn), view }, { pinned: app.pinned(turn), aside: !standing.has(turn) });
  });
  return all.filter((one) => one !== null);
}

const shown = ({ number, question, answer }: App['session']['turns'][number]) => ({ number, question, answer });
