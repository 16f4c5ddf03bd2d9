import { describe, expect, it, vi } from 'vitest';
import { FakeBackend } from '$lib/api/fake';
import { Fault } from '$lib/api/fault';
import type { QuestionMark, ReadingMenu } from '$lib/api/types';
import { GlanceController } from '$lib/controllers/glance.svelte';
import { PartController } from '$lib/controllers/part.svelte';
import { RunController } from '$lib/controllers/run.svelte';
import { SessionController } from '$lib/controllers/session.svelte';
import { linesOf } from '$lib/lines';
import { kindsOf, piecesOf, summaryOf } from '$lib/marks';
import { Revise } from '$lib/revise';
import { clauseLines, placesOf, standing } from '$lib/versions';
import { answers, storedTurn } from './fixtures';
import { eventually } from './eventually';

const version = (key: string, place: string, chosen = false) => ({ key, place, chosen });

describe('versions', () => {
  it('share a place, and the chosen one stands there', () => {
    const turns = [version('a', '1'), version('b', '2', true), version('a2', '1', true), version('a3', '1')];
    expect(placesOf(turns).map(({ all, at }) => [all.map(({ key }) => key), at])).toEqual([
      [['a', 'a2', 'a3'], 1],
      [['b'], 0],
    ]);
    expect(standing(placesOf(turns)).map(({ key }) => key)).toEqual(['a2', 'b']);
  });

  it('stand with the last one where nobody chose', () => {
    expect(standing(placesOf([version('a', '1'), version('a2', '1')])).map(({ key }) => key)).toEqual(['a2']);
  });

  it('are compared clause by clause', () => {
    const before = clauseLines("SELECT revenue AT category WHERE country = 'A AND B' DURING 1997");
    const after = clauseLines("SELECT revenue AT category WHERE country = 'A AND B' DURING 1998");
    expect(linesOf(before, after).filter(({ kind }) => kind !== 'same')).toEqual([
      { kind: 'removed', text: 'DURING 1997' },
      { kind: 'added', text: 'DURING 1998' },
    ]);
  });
});

const mark = (start: number, text: string, kind: QuestionMark['kind']): QuestionMark => ({
  start,
  end: start + text.length,
  text,
  kind,
  meaning: text,
  sure: true,
});

describe('marks', () => {
  const pieces = piecesOf('😀 revenue wibble', [mark(3, 'revenue', 'metric'), mark(11, 'wibble', 'unread')]);

  it('cut the text in pieces, behind an emoji too', () => {
    expect(pieces.map(({ text, mark: of }) => [text, of?.kind ?? null])).toEqual([
      ['😀 ', null],
      ['revenue', 'metric'],
      [' ', null],
      ['wibble', 'unread'],
    ]);
    expect(kindsOf(pieces)).toEqual(['metric', 'unread']);
    expect(summaryOf(pieces)).toContain('revenue: number, wibble: not understood');
  });

  it('of another text are left out', () => {
    expect(piecesOf('sales', [mark(0, 'revenue', 'metric')])).toEqual([{ text: 'sales', mark: null }]);
    expect(summaryOf([])).toBe('');
  });
});

describe('GlanceController', () => {
  it('reads once typing rests, and keeps what stands before the change meanwhile', async () => {
    vi.useFakeTimers();
    const asked: string[] = [];
    const glance = new GlanceController(async (question) => {
      asked.push(question);
      return [mark(0, 'revenue', 'metric')];
    });
    glance.look('rev');
    glance.look('revenue by');
    await vi.advanceTimersByTimeAsync(200);
    expect(asked).toEqual(['revenue by']);
    expect(glance.marks).toHaveLength(1);
    glance.look('revenue by c');
    expect(glance.marks).toHaveLength(1);
    glance.look('rev');
    expect(glance.marks).toHaveLength(0);
    glance.look('');
    await vi.advanceTimersByTimeAsync(200);
    expect(asked).toEqual(['revenue by']);
    vi.useRealTimers();
  });
});

const options: ReadingMenu = {
  title: 'Another number',
  groups: [
    {
      label: '',
      options: [
        { label: 'Revenue', chosen: true, change: { slot: 'metric', part: 'revenue', metric: 'revenue' } },
        { label: 'Orders', change: { slot: 'metric', part: 'revenue', metric: 'order_count' } },
        { label: 'More', opens: { slot: 'filter' } },
      ],
    },
  ],
};

describe('PartController', () => {
  const shown = async (problem: Fault | null = null) => {
    const wanted: unknown[] = [];
    const changes: unknown[] = [];
    const part = new PartController(
      async (asked) => {
        wanted.push(asked);
        return options;
      },
      async (change) => {
        changes.push(change);
        return problem;
      },
    );
    part.show({ slot: 'metric', part: 'revenue' });
    await eventually(() => expect(part.menu).not.toBeNull());
    return { part, wanted, changes };
  };

  it('takes an option and closes; what it is already changes nothing', async () => {
    const { part, changes } = await shown();
    await part.pick(part.listed[0]!, false);
    expect([part.open, changes]).toEqual([false, []]);
    part.show({ slot: 'metric', part: 'revenue' });
    await eventually(() => expect(part.listed).toHaveLength(3));
    await part.pick(part.listed[1]!, false);
    expect([part.open, changes]).toEqual([false, [options.groups[0]!.options[1]!.change]]);
  });

  it('stays open with the reason when the program refuses', async () => {
    const { part } = await shown(new Fault('invalid', 'It cannot be.', 'Choose another.'));
    await part.pick(part.listed[1]!, false);
    expect([part.open, part.problem?.message]).toEqual([true, 'It cannot be.']);
  });

  it('takes nothing of an old list: Enter waits for what was looked for', async () => {
    const { part, wanted, changes } = await shown();
    part.look('orders');
    await part.accept(false);
    expect(changes).toEqual([]);
    await eventually(() => expect(wanted).toHaveLength(2));
    expect(wanted[1]).toEqual({ slot: 'metric', part: 'revenue', find: 'orders' });
    await eventually(() => expect(part.open).toBe(false)); // the first one is what it is already
  });

  it('takes nothing of a list that comes while more is written', async () => {
    const { part, changes } = await shown();
    const path = part.listed[2]!;
    const opening = part.pick(path, false); // its list is on its way
    part.look('orders');
    await opening;
    await eventually(() => expect(part.menu).not.toBeNull());
    await part.accept(false);
    expect([part.open, changes]).toEqual([true, []]);
    await eventually(() => expect(part.open).toBe(false));
  });

  it('opens further menus and goes back', async () => {
    const { part, wanted } = await shown();
    part.move(-1);
    expect(part.at).toBe(2);
    await part.pick(part.listed[2]!, false);
    expect(part.deep).toBe(true);
    part.back();
    expect(part.deep).toBe(false);
    await eventually(() => expect(wanted).toHaveLength(3));
    expect(wanted[1]).toEqual({ slot: 'filter' });
  });
});

describe('Revise', () => {
  const page = async () => {
    const backend = new FakeBackend();
    backend.documents.set('s1', {
      id: 's1',
      title: 't',
      created: '',
      updated: '',
      turns: [
        storedTurn({ index: 1, place: 1, request_id: 'a', chosen: false, answer: answers.category }),
        storedTurn({ index: 2, place: 2, request_id: 'b', answer: answers.orders }),
        storedTurn({
          index: 3,
          place: 1,
          request_id: 'a2',
          chosen: true,
          worded: true,
          frame_ql: 'SELECT x',
          question: 'X',
        }),
      ],
    } as never);
    backend.answer = async () => answers.category;
    const session = new SessionController(backend);
    await session.open('s1');
    const run = new RunController(backend, session, () => 'live');
    const at = { session, run, problem: null, ask: (...given: Parameters<RunController['ask']>) => run.ask(...given) };
    return { backend, session, run, at, revise: new Revise(backend.reading, at) };
  };

  it('shows a session with the chosen version in each place', async () => {
    const { session } = await page();
    expect(session.standing.map(({ requestId, number }) => [requestId, number])).toEqual([
      ['a2', 1],
      ['b', 2],
    ]);
    expect(session.standing[0]!.asked).toEqual({ question: 'X', frame_ql: 'SELECT x' });
  });

  it('asks a changed part as another version, in its words', async () => {
    const { backend, session, revise } = await page();
    backend.reading.edited = { frame_ql: 'SELECT y', question: 'Y' };
    expect(await revise.change('b', { slot: 'metric', part: 'x', metric: 'y' })).toBeNull();
    await eventually(() => expect(session.turns.at(-1)?.state).toBe('done'));
    expect(backend.asked[0]).toMatchObject({ question: 'Y', frame_ql: 'SELECT y', session_id: 's1', instead_of: 'b' });
    expect(session.versions('b').all).toHaveLength(2);
    expect(session.standing.map(({ question }) => question)).toEqual(['X', 'Y']);
    expect(session.wantedTurn).toEqual({ requestId: 'live' });
  });

  it('says why a part cannot be changed, and asks nothing', async () => {
    const { backend, revise } = await page();
    backend.reading.edited = new Fault('invalid', 'No path leads there.');
    expect((await revise.change('b', { slot: 'metric' }))?.message).toBe('No path leads there.');
    expect(backend.asked).toEqual([]);
  });

  it('keeps versions in the order in which they were stepped to, and asks once that is done', async () => {
    const { backend, run, revise } = await page();
    let goOn = () => {};
    backend.reading.slow = new Promise((resolve) => (goOn = resolve));
    const steps = [revise.step('a2', -1), revise.step('a', 1)];
    const asking = run.ask({ question: 'and in 1996?' });
    await Promise.resolve();
    backend.reading.slow = Promise.resolve();
    expect([backend.reading.chosen, backend.asked]).toEqual([[], []]);
    goOn();
    await Promise.all([...steps, asking]);
    expect(backend.reading.chosen).toEqual(['a', 'a2']);
    expect(backend.asked).toHaveLength(1);
  });

  it('steps to another version and keeps that; other words are a question', async () => {
    const { backend, session, at, revise } = await page();
    await revise.step('a2', -1);
    await revise.step('a', -1);
    expect(backend.reading.chosen).toEqual(['a']);
    expect(session.standing[0]!.requestId).toBe('a');
    backend.reading.failure = new Fault('unavailable', 'The disk is full.');
    await revise.step('a', 1);
    expect(at.problem).toMatchObject({ message: 'The disk is full.' });
    await revise.reword('a2', 'other words');
    expect(backend.asked[0]).toMatchObject({ question: 'other words', instead_of: 'a2' });
    expect(backend.asked[0]!.frame_ql).toBeUndefined();
  });
});
