import { fireEvent, render, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import ReportDialog from '$components/session/ReportDialog.svelte';
import { FakeReports } from '$lib/api/fake-session-files';
import { Fault } from '$lib/api/fault';
import type { Exported } from '$lib/api/types';
import { ReportController, type Reported } from '$lib/controllers/report.svelte';
import { moved, offeredBy, originOf, piecesOf, readDraft } from '$lib/report';
import { recall, remember, remembered } from '$lib/storage';
import { eventually } from './eventually';
import { answers } from './fixtures';

const exportsApi = { write: async () => ({}) as Exported, address: (file: Exported) => `api/exports/${file.id}` };
const offered = (requestId: string, pinned = false, aside = false) =>
  offeredBy(
    { number: 1, question: 'q', answer: { ...answers.category, request_id: requestId }, view: null },
    { pinned, aside },
  )!;
const session = (...all: Reported['offered']): Reported => ({ id: 's1', title: 'revenue', offered: all });

function setUp() {
  const api = new FakeReports();
  const given: string[] = [];
  const hands = {
    save: async (_: Exported, address: string) => (given.push(`save ${address}`), ''),
    print: async (address: string) => (given.push(`print ${address}`), ''),
  };
  let clock = 1;
  const report = new ReportController(api, exportsApi, hands, () => clock++);
  return { api, given, report };
}

beforeEach(() => localStorage.clear());

describe('what a session offers for a report', () => {
  it('is each answer as a whole, and the artifacts that say something by themselves', () => {
    const { offers, title, rows } = offered('r1');
    expect(offers.map(({ kind }) => kind)).toEqual(
      ['answer', 'narration', 'chart', 'frame'].filter(
        (kind) => kind === 'answer' || answers.category.artifacts.some((one) => one.kind === kind),
      ),
    );
    expect([title, rows]).toEqual([answers.category.understood?.reading, answers.category.frame?.row_count]);
    expect(originOf({ kind: 'answer', id: 'r1' }, [offered('r0'), offered('r1')])?.of.requestId).toBe('r1');
    expect(originOf({ kind: 'heading', text: 'x' }, [offered('r1')])).toBeNull();
  });

  it('is nothing where nothing came of a turn', () => {
    const none = { number: 1, question: 'q', view: null };
    expect(offeredBy({ ...none, answer: null }, { pinned: false, aside: false })).toBeNull();
    expect(offeredBy({ ...none, answer: answers.clarify }, { pinned: false, aside: false })).toBeNull();
  });
});

describe('ReportController', () => {
  it('begins with what is pinned, and puts pieces in, moves them and takes them out', () => {
    const { report } = setUp();
    report.open(session(offered('r1'), offered('r2', true), offered('r3', true, true)));
    const ids = () => report.items.map((item) => (item.kind === 'answer' ? item.id : item.kind));
    expect([ids(), report.title]).toEqual([['r2', 'r3'], 'revenue']);
    const key = report.add({ kind: 'heading', text: '' }, 0)!;
    report.write(key, 'First');
    report.addAll();
    expect(ids()).toEqual(['heading', 'r2', 'r3', 'r1']);
    expect(report.move(key, 3)).toBe(true);
    expect(report.move(key, 3)).toBe(false);
    expect(report.move(key, 4)).toBe(false);
    expect(ids()).toEqual(['r2', 'r3', 'r1', 'heading']);
    report.remove(report.items[0]!.key);
    expect(ids()).toEqual(['r3', 'r1', 'heading']);
  });

  it('takes back and does again what was done to it, step by step', async () => {
    const { report } = setUp();
    report.open(session(offered('r1'), offered('r2')));
    const kinds = () =>
      report.items.map((item) => (item.kind === 'answer' ? item.id : item.kind === 'text' ? item.text : ''));
    report.addAll();
    const key = report.add({ kind: 'text', text: '' }, 1)!;
    report.write(key, 'words');
    report.move(key, 0);
    report.remove(key);
    const states = [['r1', 'r2'], ['words', 'r1', 'r2'], ['r1', 'words', 'r2'], ['r1', 'r2'], []];
    for (const [step, state] of states.entries()) {
      if (step > 0) await report.undoing.undo();
      expect(kinds()).toEqual(state);
    }
    for (const state of states.toReversed().slice(1, 2)) {
      await report.undoing.redo();
      expect(kinds()).toEqual(state);
    }
  });

  it('goes on with its draft, without what the session does not have any more', () => {
    const first = setUp().report;
    first.open(session(offered('r1', true), offered('r2', true)));
    first.add({ kind: 'text', text: 'words' });
    first.name('Board');
    first.close();
    const again = setUp().report;
    again.open(session(offered('r2')));
    expect([again.title, piecesOf(again.items)]).toEqual([
      'Board',
      [
        { kind: 'answer', id: 'r2' },
        { kind: 'text', text: 'words' },
      ],
    ]);
    again.open({ ...session(offered('r2')), id: 's2' });
    expect([again.title, again.items]).toEqual(['revenue', []]);
  });

  it('keeps nothing in its draft that the session says', () => {
    const { report } = setUp();
    report.open(session(offered('r1', true)));
    report.add({ kind: 'text', text: 'words' });
    expect(recall('report.s1')).not.toContain('revenue');
    report.open({ ...session(offered('r1')), title: 'renamed' });
    expect(report.title).toBe('renamed');
  });

  it('keeps the drafts of twenty sessions', () => {
    const { report } = setUp();
    for (let i = 0; i < 25; i++) {
      report.open({ ...session(), id: `s${i}` });
      report.add({ kind: 'text', text: 'words' });
    }
    expect([remembered('report.').length, recall('report.s4'), recall('report.s5') !== null]).toEqual([20, null, true]);
  });

  it('reads no draft from what is none', () => {
    const items = [
      { key: '1', kind: 'answer' },
      { key: '2', kind: 'heading', text: 'x' },
      null,
      { kind: 'text', text: '' },
    ];
    expect(readDraft('{')).toBeNull();
    expect(readDraft('[]')).toBeNull();
    expect(readDraft(JSON.stringify({ title: 1, items }))).toBeNull();
    expect(readDraft(JSON.stringify({ title: 't', items }))?.items.map(({ key }) => key)).toEqual(['2']);
    remember('report.s1', 'null');
    const { report } = setUp();
    report.open(session(offered('r1', true)));
    expect(report.items).toHaveLength(1);
  });

  it('makes a file of what is in it, without what is empty', async () => {
    const { api, given, report } = setUp();
    report.open(session(offered('r1', true)));
    report.add({ kind: 'heading', text: ' ' });
    report.frames = 'masked';
    report.name('  ');
    await report.make('pdf');
    expect(api.reports).toEqual([
      { format: 'pdf', title: 'revenue', frames: 'masked', items: [{ kind: 'answer', id: 'r1' }] },
    ]);
    expect([given, report.done?.printed]).toEqual([['save api/exports/report'], false]);
    await report.make('print');
    expect([api.reports[1]?.format, given[1], report.done?.printed]).toEqual([
      'html',
      'print api/exports/report',
      true,
    ]);
    report.add({ kind: 'text', text: 'more' });
    expect(report.done).toBeNull();
  });

  it('says why a file is not there', async () => {
    const { api, report } = setUp();
    report.open(session(offered('r1', true)));
    api.failure = new Fault('unavailable', 'There is no browser on this machine.', 'Print the page.');
    await report.make('pdf');
    expect([report.problem?.hint, report.making, report.done]).toEqual(['Print the page.', null, null]);
  });

  it('stops what is being made', async () => {
    const { api, report } = setUp();
    report.open(session(offered('r1', true)));
    api.write = (_request: object, signal?: AbortSignal) =>
      new Promise<Exported>((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(new Fault('canceled', 'stopped'))),
      );
    const making = report.make('html');
    expect(report.making).toBe('html');
    report.stop();
    await making;
    expect([report.making, report.problem]).toEqual([null, null]);
  });

  it('holds two hundred pieces', () => {
    const { report } = setUp();
    report.open(session(offered('r1')));
    for (let i = 0; i < 200; i++) report.add({ kind: 'text', text: 'x' });
    expect([report.full, report.add({ kind: 'text', text: 'x' })]).toEqual([true, null]);
    report.addAll();
    expect(report.items).toHaveLength(200);
  });
});

it('moves an item to another place', () => {
  expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
  expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
});

describe('ReportDialog', () => {
  async function shown() {
    const { report, api } = setUp();
    render(ReportDialog, { report, locale: 'en-US' });
    report.open(session(offered('r1'), offered('r2', true)));
    await screen.findByRole('region', { name: 'The report, in its order' });
    return { report, api };
  }
  const rows = () =>
    within(screen.getByRole('region', { name: 'The report, in its order' }))
      .queryAllByRole('listitem')
      .map(
        (row) => row.querySelector('p')?.textContent ?? row.querySelector<HTMLInputElement>('input, textarea')?.value,
      );

  it('puts whole answers and their parts in by a press, and takes them out again', async () => {
    const { report } = await shown();
    const offers = within(screen.getByRole('region', { name: 'From this session' }));
    await fireEvent.click(offers.getAllByText('Table')[0]!);
    expect(report.items).toHaveLength(2);
    await fireEvent.click(offers.getAllByText('Whole answer')[1]!);
    expect(report.items).toHaveLength(1);
    await screen.findByText(/^Taken out: /);
    await fireEvent.click(screen.getByText('Undo'));
    await eventually(() => expect(report.items).toHaveLength(2));
  });

  it('is moved by keys, with the keyboard staying on it and the new place said', async () => {
    await shown();
    await fireEvent.click(screen.getByText('Heading'));
    const heading = await screen.findByRole('textbox', { name: 'Heading' });
    await eventually(() => expect(document.activeElement).toBe(heading));
    await fireEvent.input(heading, { target: { value: 'Sales' } });
    const grip = screen.getByRole('button', { name: 'Move Sales' });
    grip.focus();
    await fireEvent.keyDown(grip, { key: 'ArrowUp' });
    await screen.findByText('Moved to place 1 of 2');
    expect(rows()[0]).toBe('Sales');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Sales');
    await fireEvent.keyDown(document.activeElement!, { key: 'z', ctrlKey: true });
    await eventually(() => expect(rows()[1]).toBe('Sales'));
  });
});
