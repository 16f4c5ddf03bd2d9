import { afterEach, describe, expect, it, vi } from 'vitest';
import { Commands } from '$lib/controllers/commands.svelte';
import { edit, onFiles, type NoticeWord } from '$lib/desktop';
import { endOfExport, endOfImport, endOfRun } from '$lib/ends';
import { LongWork, longWork, type Ended } from '$lib/long-work';
import { forbidden, mayTell, tell } from '$lib/notices';
import { saveFile } from '$lib/save';
import { answers } from './fixtures';

const shell = window as unknown as Record<string, unknown>;

function inShell(bound: Record<string, unknown>, events: Record<string, (value: unknown) => void> = {}) {
  shell['go'] = { main: { Window: bound } };
  shell['runtime'] = {
    EventsOn: (event: string, heard: (value: unknown) => void) => {
      events[event] = heard;
      return () => delete events[event];
    },
  };
}

afterEach(() => {
  delete shell['go'];
  delete shell['runtime'];
  vi.unstubAllGlobals();
});

describe('long work', () => {
  const watch = (over: { away?: boolean; wanted?: boolean } = {}) => {
    const clock = { at: 0 };
    const told: Ended[] = [];
    const work = new LongWork({
      now: () => clock.at,
      away: () => over.away ?? true,
      wanted: () => over.wanted ?? true,
      tell: (ended) => told.push(ended),
    });
    return { clock, told, work };
  };
  const answered: Ended = { what: 'question', id: 'r1' };

  it('is told of when it took long and nobody looks', () => {
    const { clock, told, work } = watch();
    work.begin();
    clock.at = longWork;
    work.end(answered);
    expect(told).toEqual([answered]);
  });

  it.each([
    ['was short', {}, longWork - 1, answered],
    ['ends in view', { away: false }, longWork, answered],
    ['is not wanted', { wanted: false }, longWork, answered],
    ['was stopped', {}, longWork, null],
  ])('is not told of when it %s', (_, over, at, ended) => {
    const { clock, told, work } = watch(over);
    work.begin();
    clock.at = at;
    work.end(ended);
    expect(told).toEqual([]);
  });

  it('counts from its own beginning', () => {
    const { clock, told, work } = watch();
    work.end(answered); // nothing had begun
    clock.at = longWork;
    work.end(answered);
    work.begin();
    clock.at = longWork + 5;
    work.end(answered);
    expect(told).toEqual([]);
  });

  it('ends as it ended', () => {
    expect(endOfRun({ state: 'done', answer: answers.category })).toEqual({ what: 'question', id: answers.category.request_id }); // prettier-ignore
    expect(endOfRun({ state: 'done', answer: answers.clarify })?.what).toBe('question_asks');
    expect(endOfRun({ state: 'done', answer: answers.refuse })?.what).toBe('question');
    expect(endOfRun({ state: 'failed', answer: null })?.what).toBe('question_failed');
    expect(endOfRun({ state: 'stopped', answer: null })).toBeNull();
    expect(endOfImport({ result: [], problem: null })?.what).toBe('import');
    expect(endOfImport({ result: null, problem: { code: 'invalid', message: '', hint: '' } })?.what).toBe('import_failed'); // prettier-ignore
    expect(endOfImport({ result: null, problem: { code: 'canceled', message: '', hint: '' } })).toBeNull();
    expect(endOfExport({ requestId: 'r', format: 'csv', is: 'running', written: true })).toEqual({ what: 'export', id: 'r' }); // prettier-ignore
    expect(endOfExport({ requestId: 'r', format: 'csv', is: 'failed', problem: { code: '', message: '', hint: '' } })?.what).toBe('export_failed'); // prettier-ignore
    expect(endOfExport(null)).toBeNull();
  });
});

describe('notices', () => {
  it('go through the shell where there is one', () => {
    const said: [NoticeWord, string][] = [];
    inShell({ Notify: (what: NoticeWord, id: string) => (said.push([what, id]), Promise.resolve()) });
    expect(mayTell()).toBe(true);
    tell('import', '', () => undefined);
    expect(said).toEqual([['import', '']]);
  });

  it('are the browser’s only when it was allowed, and lead back', () => {
    const made: { title: string; body: string; onclick?: () => void; close: () => void }[] = [];
    class Fake {
      static permission = 'default';
      onclick?: () => void;
      close = () => undefined;
      body: string;
      constructor(
        readonly title: string,
        options: { body: string },
      ) {
        this.body = options.body;
        made.push(this);
      }
    }
    vi.stubGlobal('Notification', Fake);
    const followed: string[] = [];
    tell('question', 'r1', (id) => followed.push(id));
    expect(made).toEqual([]);
    Fake.permission = 'denied';
    expect([mayTell(), forbidden()]).toEqual([false, true]);
    Fake.permission = 'granted';
    tell('question', 'r1', (id) => followed.push(id));
    expect(made.map(({ title, body }) => [title, body])).toEqual([['Assay', 'Your question has been answered.']]);
    made[0]?.onclick?.();
    expect(followed).toEqual(['r1']);
  });
});

describe('the shell', () => {
  it('hands files over with what it did not take', () => {
    const events: Record<string, (value: unknown) => void> = {};
    inShell({}, events);
    const heard: unknown[] = [];
    const stop = onFiles((offered) => heard.push(offered));
    events['files']?.({ files: null, sessions: [{ id: 'f1' }], refused: [{ file: 'a.exe' }], look: true });
    events['files']?.(undefined);
    expect(heard).toEqual([
      { files: [], sessions: [{ id: 'f1' }], bundles: [], refused: [{ file: 'a.exe' }], look: true },
      { files: [], sessions: [], bundles: [], refused: [], look: false },
    ]);
    stop();
    expect(events['files']).toBeUndefined();
  });

  it('saves a picture through its dialog, and says why not', async () => {
    const sent: [string, string][] = [];
    vi.stubGlobal('fetch', async (path: string, options: RequestInit) => {
      sent.push([path, new TextDecoder().decode(options.body as ArrayBuffer)]);
      return new Response(JSON.stringify({ token: 't1', name: 'a.svg', bytes: 4 }));
    });
    const saved: string[] = [];
    inShell({
      SaveImage: (token: string) => (saved.push(token), Promise.resolve(saved.length > 1 ? 'The disk is full.' : '')),
    });
    const picture = { arrayBuffer: async () => new TextEncoder().encode('<svg').buffer } as unknown as Blob;
    expect(await saveFile(picture, 'Ümsatz 1.svg')).toBe('');
    expect(await saveFile(picture, 'a.svg')).toBe('The disk is full.');
    expect(sent[0]).toEqual(['api/uploads?name=%C3%9Cmsatz%201.svg', '<svg']);
    expect(saved).toEqual(['t1', 't1']);
    vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ code: 'limit', message: 'Too many.', hint: 'Wait.' }), { status: 413 })); // prettier-ignore
    expect(await saveFile(picture, 'a.svg')).toBe('Too many. Wait.');
  });

  it('copies what is chosen in a field', async () => {
    inShell({});
    const copied: string[] = [];
    (shell['runtime'] as Record<string, unknown>)['ClipboardSetText'] = async (text: string) => copied.push(text);
    const field = document.createElement('textarea');
    document.body.append(field);
    field.value = 'revenue by region';
    field.focus();
    field.setSelectionRange(0, 7);
    await edit('edit.copy');
    field.setSelectionRange(3, 3);
    await edit('edit.copy');
    field.remove();
    expect(copied).toEqual(['revenue']);
  });

  it('does the commands of the menu that can be done now', () => {
    const commands = new Commands();
    const done: string[] = [];
    commands.add([
      { id: 'a', title: 'A', section: '', act: () => done.push('a') },
      { id: 'b', title: 'B', section: '', when: () => false, act: () => done.push('b') },
    ]);
    expect([commands.runById('a'), commands.runById('b'), commands.runById('edit.none')]).toEqual([true, false, false]);
    expect(done).toEqual(['a']);
  });
});
