import { render, screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import Leaving from '$components/settings/Leaving.svelte';
import FactSections from '$components/artifacts/provenance/FactSections.svelte';
import { FakeMinds } from '$lib/api/fake-minds';
import { FakeBackend, FakeSettings } from '$lib/api/fake';
import { Fault } from '$lib/api/fault';
import type { MindCheck } from '$lib/api/types';
import { App } from '$lib/app.svelte';
import { MindsController } from '$lib/controllers/minds.svelte';
import { SettingsController } from '$lib/controllers/settings.svelte';
import { Theme } from '$lib/controllers/theme.svelte';

const model = {
  mind: 'ollama:small:1b',
  local: true,
  window: 8192,
  tools: true,
  schema: true,
  log_probs: false,
  price: { input: 0, output: 0, cache_read: 0, cache_write: 0 },
  bytes: 1e9,
  digest: 'sha256:aa',
};
const ollama = {
  provider: 'ollama',
  host: '127.0.0.1:11434',
  local: true,
  there: true,
  version: '0.30.0',
  models: [model],
  message: '',
  hint: '',
};
const line = (code: MindCheck['code'], status: MindCheck['status']): MindCheck => ({
  code,
  status,
  label: code,
  text: status,
});

async function desk(api = new FakeMinds()) {
  const settings = new SettingsController(new FakeSettings(), new Theme());
  await settings.load();
  return { api, settings, minds: new MindsController(api, settings) };
}

describe('minds', () => {
  it('are the embedded one, what was found, and what is chosen though it is not there now', async () => {
    const { api, minds } = await desk();
    api.found.ollama = ollama;
    api.view = { ...api.view, mind: 'anthropic:some', local: false };
    await minds.load();
    await minds.find('ollama');
    expect(minds.choices.map(({ mind, local }) => [mind, local])).toEqual([
      ['embedded', true],
      ['ollama:small:1b', true],
      ['anthropic:some', false],
    ]);
    expect(minds.now).toBe('anthropic:some');
    minds.here = 'embedded';
    expect(minds.now).toBe('embedded');
  });

  it('are chosen in the settings, and the session goes with that again', async () => {
    const { settings, minds } = await desk();
    minds.here = 'embedded';
    await minds.choose('ollama:small:1b');
    expect(settings.now?.minds?.mind).toBe('ollama:small:1b');
    expect(minds.here).toBe('');
  });

  it('are tried line by line, and can be stopped', async () => {
    const { api, minds } = await desk();
    api.checks = [line('answers', 'passed'), line('tools', 'failed')];
    await minds.tryOut('ollama:small:1b');
    expect(minds.checks.map(({ code }) => code)).toEqual(['answers', 'tools']);
    expect([minds.tried?.passed, minds.running, minds.problem]).toEqual([true, false, null]);
    const trying = minds.tryOut('embedded');
    minds.stop();
    await trying;
    expect([minds.tried, minds.running, minds.problem]).toEqual([null, false, null]);
  });

  it('are fetched by Ollama part by part, and looked for again', async () => {
    const { api, minds } = await desk();
    api.found.ollama = { ...ollama, models: [] };
    api.view = { ...api.view, mind: 'ollama:small:1b' };
    await minds.load();
    await minds.find('ollama');
    expect(minds.absent).toBe('small:1b');
    api.parts = [{ status: 'pulling 5f1e', total: 100, completed: 40 }];
    api.found.ollama = ollama;
    await minds.fetch('small:1b');
    expect(api.pulled).toEqual(['small:1b']);
    expect([minds.fetching?.is, minds.fetching?.at?.completed, minds.absent]).toEqual(['done', 40, '']);
    api.failure = new Fault('unauthorized', 'Nothing leaves this machine.', 'Turn it off.');
    await minds.fetch('other:1b');
    expect([minds.fetching?.is, minds.fetching?.problem?.hint]).toEqual(['failed', 'Turn it off.']);
  });

  it('that are being fetched can be stopped, and only one is at a time', async () => {
    const { api, minds } = await desk();
    api.hangs = true;
    const fetching = minds.fetch('small:1b');
    await minds.fetch('other:1b');
    expect(api.pulled).toEqual(['small:1b']);
    minds.stopFetching();
    await fetching;
    expect([minds.fetching?.is, minds.fetching?.problem]).toEqual(['stopped', null]);
  });

  it('say why they cannot be asked', async () => {
    const { api, minds } = await desk();
    api.failure = new Fault('unauthorized', 'Nothing leaves this machine.', 'Choose another.');
    await minds.tryOut('anthropic:some');
    expect(minds.problem?.message).toBe('Nothing leaves this machine.');
    expect(await minds.setKey('openai', 'a key', false)).toBe(false);
    api.failure = null;
    expect(await minds.setKey('openai', 'a key', true)).toBe(true);
    expect(api.keys).toEqual([['openai', 'a key', true]]);
    expect(minds.problem).toBeNull();
  });

  it('of a session go with its questions, and end with it', async () => {
    const backend = new FakeBackend();
    const app = new App(backend);
    app.minds.here = 'ollama:small:1b';
    await app.ask({ question: 'revenue' });
    await app.ask({ frame_ql: 'SELECT revenue' });
    expect(backend.asked.map(({ mind }) => mind)).toEqual(['ollama:small:1b', undefined]);
    app.newSession();
    expect(app.minds.here).toBe('');
  });
});

describe('what leaves', () => {
  it('is told kind by kind before anything does', () => {
    const part = { kind: 'rows' as const, sent: false, label: 'Rows of answers', text: 'They stay here.' };
    const question = { kind: 'question' as const, sent: true, label: 'Your question', text: 'Its words.' };
    render(Leaving, {
      leaving: {
        mind: 'anthropic:some',
        host: 'api.anthropic.com',
        local: false,
        held: false,
        summary: 'This goes to api.anthropic.com.',
        parts: [question, part],
      },
    });
    expect(screen.getByText('This goes to api.anthropic.com.')).toBeTruthy();
    expect(screen.getAllByRole('term').map((term) => term.textContent)).toEqual(['Your question', 'Rows of answers']);
  });

  it('stands on the card of an answer as a table of where and what', () => {
    const lines = [
      { label: 'api.anthropic.com, to plan', text: '1,204 bytes: the question 20 bytes', status: '' },
      { label: 'api.anthropic.com, to narrate', text: '800 bytes: 4 rows of category', status: '' },
    ];
    render(FactSections, {
      facts: [{ code: 'egress', label: 'What left the machine', text: '2,004 bytes', lines }],
      codes: ['mind', 'egress'],
    });
    expect(screen.getAllByRole('row')).toHaveLength(2);
    expect(screen.getByRole('rowheader', { name: 'api.anthropic.com, to plan' })).toBeTruthy();
  });
});
