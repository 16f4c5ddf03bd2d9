import { beforeEach, describe, expect, it } from 'vitest';
import { App } from '$lib/app.svelte';
import { Fault } from '$lib/api/fault';
import { FakeBackend } from '$lib/api/fake';
import { ImportController } from '$lib/controllers/imports.svelte';
import { Layout } from '$lib/controllers/layout.svelte';
import { RunController } from '$lib/controllers/run.svelte';
import { SessionController } from '$lib/controllers/session.svelte';
import { Theme } from '$lib/controllers/theme.svelte';
import { WorkspaceController } from '$lib/controllers/workspace.svelte';
import { noOpinion } from '$lib/feedback';
import { asAnswered } from '$lib/turn';
import { answers, northwind, step, storedSession } from './fixtures';
import { eventually } from './eventually';

let backend: FakeBackend;

beforeEach(() => {
  backend = new FakeBackend();
  backend.workspaces = [northwind];
  localStorage.clear();
  history.replaceState(null, '', '/');
});

const blank = {
  key: 'r1',
  asked: {},
  question: 'q',
  at: '',
  state: 'done' as const,
  steps: [],
  answer: null,
  problem: null,
  facts: null,
  stands: asAnswered,
  opinion: noOpinion,
  learned: null,
  view: null,
  made: [],
};

describe('RunController', () => {
  const make = () => {
    const session = new SessionController(backend);
    let serial = 0;
    return { session, run: new RunController(backend, session, () => `r${++serial}`) };
  };

  it('puts steps and the answer into the turn, and joins its session', async () => {
    const { session, run } = make();
    const seen: string[] = [];
    backend.answer = async (request, onEvent) => {
      onEvent({ request_id: request.request_id, session_id: 'ses_1', step: step('interpret', 'started') });
      seen.push(session.turns[0]!.steps.map((known) => known.status).join());
      onEvent({ request_id: request.request_id, session_id: 'ses_1', step: step('interpret', 'done', 6) });
      seen.push(session.turns[0]!.steps.map((known) => known.status).join());
      return { ...answers.category, session_id: 'ses_1' };
    };
    const asked = run.ask({ question: ' revenue ' });
    expect(run.running).toBe(true);
    await asked;
    expect(seen).toEqual(['started', 'done']);
    expect(run.running).toBe(false);
    expect(session.turns[0]).toMatchObject({ state: 'done', question: 'revenue' });
    expect([session.id, session.title, session.cards.length]).toEqual(['ses_1', 'revenue', 1]);
    await run.ask({ frame_ql: 'SELECT revenue AT ()' });
    expect(backend.asked[1]).toEqual({ request_id: 'r2', session_id: 'ses_1', frame_ql: 'SELECT revenue AT ()' });
  });

  it('asks one thing at a time and never nothing', async () => {
    const { session, run } = make();
    backend.answer = async () => answers.category;
    const first = run.ask({ question: 'a' });
    await run.ask({ question: 'b' });
    await first;
    await run.ask({ question: '   ' });
    expect(session.turns).toHaveLength(1);
  });

  it('stops at once, tells the program, and hears nothing more', async () => {
    const { session, run } = make();
    let finish = () => {};
    backend.answer = (request, onEvent) =>
      new Promise((resolve) => {
        finish = () => {
          onEvent({ request_id: request.request_id, session_id: 'late', step: step('execute', 'done', 1) });
          resolve(answers.category);
        };
      });
    const asked = run.ask({ question: 'slow' });
    await eventually(() => expect(backend.asked).toHaveLength(1));
    run.cancel();
    expect(run.running).toBe(false);
    finish();
    await asked;
    expect(backend.canceled).toEqual(['r1']);
    expect(session.turns[0]).toMatchObject({ state: 'stopped', answer: null, steps: [] });
  });

  it('keeps what went wrong, with the next step', async () => {
    const { session, run } = make();
    backend.answer = () => Promise.reject(new Fault('limit', 'It took too long.', 'Ask for less.'));
    await run.ask({ question: 'a' });
    expect(session.turns[0]).toMatchObject({
      state: 'failed',
      problem: { message: 'It took too long.', hint: 'Ask for less.' },
    });
    backend.answer = () => Promise.reject(new Fault('canceled', 'Stopped.'));
    await run.ask({ question: 'b' });
    expect(session.turns[1]).toMatchObject({ state: 'stopped', problem: null });
  });
});

describe('SessionController', () => {
  it('opens a session with everything that came of it', async () => {
    backend.documents.set('ses_1', storedSession());
    const session = new SessionController(backend);
    await session.open('ses_1');
    expect(session.cards[0]).toMatchObject({ kind: 'frame', frame: { row_count: 8 } });
    expect(session.recent).toEqual(['revenue by category in 1997']);
    session.begin();
    expect([session.id, session.turns.length, session.title]).toEqual([null, 0, '']);
  });

  it('recalls the last question first, each once', () => {
    const session = new SessionController(backend);
    for (const question of ['a', 'b', 'a', '']) {
      session.add({ ...blank, key: question, asked: { question } });
    }
    expect(session.recent).toEqual(['a', 'b']);
  });

  it('fetches the facts of a provenance artifact once', async () => {
    const stored = storedSession();
    const facts = [{ code: 'mind', label: 'Answered by', text: 'the embedded reader', lines: [] }];
    stored.turns[0]!.artifacts = [{ id: 'a', kind: 'provenance', turn: 1, title: '', body: { facts }, created: '' }];
    backend.documents.set('ses_1', stored);
    const session = new SessionController(backend);
    session.id = 'ses_1';
    const turn = session.add({ ...blank, answer: answers.category });
    await session.fetchFacts('r1');
    expect(turn.facts).toEqual(facts);
    backend.documents.clear();
    await session.fetchFacts('r1');
    expect(turn.facts).toEqual(facts);
  });
});

describe('ImportController', () => {
  const make = () => {
    const workspace = new WorkspaceController(backend);
    return { workspace, imports: new ImportController(backend, workspace) };
  };
  const file = () => new File(['a,b\n1,2\n'], 'cities.csv');

  it('takes files in and refreshes the workspace', async () => {
    const { workspace, imports } = make();
    await workspace.load();
    backend.progress = [{ stage: 'load', file: 'cities.csv', bytes_done: 4, bytes_total: 8, rows: 1 }];
    backend.imported = {
      sources: northwind.sources,
      failed: [],
      workspace: { ...northwind, questions: ['total population', ...northwind.questions] },
    };
    await imports.take([file()]);
    expect(backend.uploaded).toEqual(['cities.csv']);
    expect(imports.result).toHaveLength(1);
    expect(imports.questions).toEqual(['total population']);
    expect(workspace.now?.questions).toHaveLength(5);
    expect([imports.current, imports.problem]).toEqual([null, null]);
  });

  it('imports what the desktop shell offers without sending bytes', async () => {
    const { imports } = make();
    backend.imported = { sources: [], failed: [], workspace: northwind };
    await imports.takeOffered([{ token: 't', name: 'big.parquet', bytes: 9 }]);
    expect([backend.uploaded, imports.result]).toEqual([[], []]);
  });

  it('says what went wrong, and that a stopped import leaves nothing', async () => {
    const { imports } = make();
    backend.failures.upload = new Fault('invalid', 'cities.csv is empty.', 'Choose another file.');
    await imports.take([file()]);
    expect(imports.problem).toMatchObject({ message: 'cities.csv is empty.' });
    backend.failures.upload = new Fault('canceled', 'x');
    await imports.take([file()]);
    expect(imports.problem?.code).toBe('canceled');
  });
});

describe('Theme and Layout', () => {
  it('remember what was chosen', () => {
    new Theme().choose('dark');
    expect(window.document.documentElement.dataset.theme).toBe('dark');
    expect(new Theme().choice).toBe('dark');
    new Layout().moveSplit(0.9);
    expect(new Layout().split).toBe(0.7);
  });
});

describe('App', () => {
  it('opens the session that the address names, and names the one that begins', async () => {
    backend.documents.set('ses_1', storedSession());
    history.replaceState(null, '', '#session/ses_1');
    const app = new App(backend);
    await app.start();
    expect([app.session.id, app.layout.panel, app.workspace.now?.label]).toEqual(['ses_1', 'results', 'Northwind']);
    app.newSession();
    expect([location.hash, app.layout.panel]).toEqual(['', 'sources']);
    backend.answer = async () => ({ ...answers.category, session_id: 'ses_2' });
    await app.ask({ question: 'a' });
    expect([location.hash, app.layout.panel]).toEqual(['#session/ses_2', 'results']);
  });

  it('says so when a session is gone', async () => {
    const app = new App(backend);
    await app.openSession('nowhere');
    expect(app.problem?.code).toBe('not_found');
  });

  it('leaves a session while something runs in it: the address keeps the one that was wanted', async () => {
    backend.documents.set('ses_1', storedSession());
    let stop: (() => void) | null = null;
    backend.answer = (_, onEvent, signal) => {
      onEvent({ request_id: 'r1', session_id: 'ses_2' });
      return new Promise((_, reject) => {
        stop = () => reject(new Fault('canceled', 'stopped'));
        signal.addEventListener('abort', () => stop!());
      });
    };
    const app = new App(backend);
    const asked = app.ask({ question: 'revenue' });
    await eventually(() => expect(app.session.id).toBe('ses_2'));
    let arrive: () => void = () => undefined;
    const fetch = backend.session.bind(backend);
    backend.session = async (id) => {
      await new Promise<void>((resolve) => (arrive = resolve));
      return fetch(id);
    };
    history.replaceState(null, '', '#session/ses_1');
    const opened = app.openSession('ses_1');
    await asked;
    expect(location.hash).toBe('#session/ses_1');
    arrive();
    await opened;
    expect([app.session.id, location.hash]).toEqual(['ses_1', '#session/ses_1']);
  });

  it('leaves an address alone that was changed while a run ended, and that the page has not heard of', async () => {
    const app = new App(backend);
    backend.answer = async () => {
      history.replaceState(null, '', '#session/ses_9');
      return { ...answers.category, session_id: 'ses_2' };
    };
    await app.ask({ question: 'revenue' });
    expect([app.session.id, location.hash]).toEqual(['ses_2', '#session/ses_9']);
  });

  it('shows the last one of two sessions that are opened at once', async () => {
    backend.documents.set('ses_1', storedSession());
    backend.documents.set('ses_2', { ...storedSession(), id: 'ses_2' });
    const arrivals: (() => void)[] = [];
    const fetch = backend.session.bind(backend);
    backend.session = async (id) => {
      await new Promise<void>((resolve) => arrivals.push(resolve));
      return fetch(id);
    };
    const app = new App(backend);
    const both = [app.openSession('ses_1'), app.openSession('ses_2')];
    arrivals.reverse().forEach((arrive) => arrive());
    await Promise.all(both);
    expect([app.session.id, location.hash]).toEqual(['ses_2', '#session/ses_2']);
  });
});
