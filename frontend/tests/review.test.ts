import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '$lib/api/fault';
import { FakeBackend } from '$lib/api/fake';
import { sharedItem } from '$lib/api/fake-knowledge';
import type { Reviewed } from '$lib/api/types';
import { ReviewController } from '$lib/controllers/review.svelte';
import Root from '../src/Root.svelte';
import { eventually } from './eventually';

const decided = (id: string, term: string, stands: Reviewed['stands']) =>
  sharedItem(id, term, 'something', { stands, status: stands, may: [] });

async function board(items: Reviewed[]) {
  const { knowledge } = new FakeBackend();
  knowledge.items = items;
  const pending: (() => void)[] = [];
  const review = new ReviewController(knowledge, (work) => {
    pending.push(work);
    return () => pending.splice(pending.indexOf(work), 1);
  });
  await review.load();
  const later = async () => {
    for (const work of pending.splice(0)) work();
    await tick();
  };
  return { knowledge, review, later };
}

const three = () => [
  decided('d', 'margin', 'approved'),
  sharedItem('a', 'sales', 'net revenue'),
  sharedItem('b', 'season', 'June to August'),
  sharedItem('c', 'big order', 'orders above 1000', { may: ['endorse'] }),
];
const ids = (review: ReviewController) => review.shown.map(({ id }) => id).join('');

describe('the queue', () => {
  it('lists what waits, what was decided, and all of it with what waits first', async () => {
    const { review } = await board(three());
    expect([ids(review), review.waiting, review.counts]).toEqual([
      'abc',
      2,
      { waiting: 3, against: 0, decided: 1, all: 4 },
    ]);
    review.listed = 'decided';
    expect(ids(review)).toBe('d');
    review.listed = 'all';
    expect(ids(review)).toBe('abcd');
    review.search = 'REVENUE sales';
    expect(ids(review)).toBe('a');
  });

  it('lists what others contradict', async () => {
    const conflict = { by: 'rules', item: 'x', means: 'freight', severity: 'high', suggestion: 'keep_a', why: '' };
    const { review } = await board([
      sharedItem('a', 'sales', 'revenue', { conflicts: [{ ...conflict, relation: 'rival' } as never] }),
      sharedItem('b', 'turnover', 'revenue', { conflicts: [{ ...conflict, relation: 'same' } as never] }),
    ]);
    expect(review.counts.against).toBe(1);
    review.listed = 'against';
    expect(ids(review)).toBe('a');
  });

  it('does not count what its contributor keeps personal as waiting', async () => {
    const { review } = await board([sharedItem('a', 'sales', 'net revenue', { personal: true, may: ['make_shared'] })]);
    expect(ids(review)).toBe('');
    review.listed = 'decided';
    expect(ids(review)).toBe('a');
  });

  it('is gone through step by step, and ends at its ends', async () => {
    const { review } = await board(three());
    review.chooseFirst();
    expect([review.step(1), review.step(1), review.step(1), review.step(-1)]).toEqual(['b', 'c', 'c', 'b']);
    review.search = 'nothing of the kind';
    expect(review.step(1)).toBe('b');
  });

  it('takes the list that was asked for last, also when the one before comes later', async () => {
    const { review, knowledge } = await board([]);
    let release = () => {};
    knowledge.hold = new Promise((resolve) => (release = resolve));
    const slow = review.load();
    knowledge.items = three();
    await review.load();
    release();
    await slow;
    expect(ids(review)).toBe('abc');
  });

  it('says why it could not be read, and keeps what it had', async () => {
    const { review, knowledge } = await board(three());
    knowledge.failures.list = new Fault('unavailable', 'It cannot be reached.');
    await review.load();
    expect([review.problem?.message, ids(review)]).toEqual(['It cannot be reached.', 'abc']);
    await review.load();
    expect(review.problem).toBeNull();
  });
});

describe('what would change', () => {
  it('is worked out for the piece that is looked at, and not for those that were passed', async () => {
    const { review, knowledge, later } = await board(three());
    knowledge.blasts.set('b', { looked: 4, changed: [], others: 2, left: 0, apart: 0 });
    review.choose('a');
    review.lookAhead();
    review.choose('b');
    review.lookAhead();
    expect([review.ahead?.id, review.ahead?.now]).toEqual(['b', null]);
    await later();
    await eventually(() => expect(review.ahead?.now?.others).toBe(2));
    expect(knowledge.looked).toEqual(['b']);
  });

  it('fails on its own, and is tried again', async () => {
    const { review, knowledge } = await board(three());
    knowledge.failures.blast = new Fault('unavailable', 'It takes too long.');
    review.choose('a');
    review.lookAhead(0);
    await eventually(() => expect(review.ahead?.problem?.message).toBe('It takes too long.'));
    expect(review.problem).toBeNull();
    review.lookAhead(0);
    await eventually(() => expect(review.ahead?.now?.looked).toBe(0));
  });
});

describe('deciding', () => {
  it('goes on to the next that this person decides about, and says what was done', async () => {
    const { review } = await board(three());
    review.choose('a');
    expect(await review.decide('approve')).toBe(true);
    expect([review.chosen, review.said.words, review.said.id]).toEqual(['b', expect.stringContaining('“sales”'), 'a']);
    expect(ids(review)).toBe('bc');
    await review.decide('approve');
    expect(review.chosen).toBe('c');
  });

  it('stays with the last one', async () => {
    const { review } = await board([sharedItem('a', 'sales', 'net revenue')]);
    review.choose('a');
    await review.decide('approve');
    expect([review.chosen, review.item?.stands, review.waiting]).toEqual(['a', 'approved', 0]);
  });

  it('stays with what waits on', async () => {
    const { review } = await board(three());
    review.choose('a');
    await review.decide('endorse');
    expect([review.chosen, review.item?.may]).toEqual(['a', ['approve', 'reject']]);
  });

  it('stays with what had been decided before', async () => {
    const { review } = await board([decided('d', 'margin', 'approved'), ...three().slice(1)]);
    review.choose('d');
    await review.decide('revoke', 'it changed');
    expect([review.chosen, review.item?.stands]).toEqual(['d', 'revoked']);
  });

  it('wants a reason where one is needed, and keeps it when it is refused', async () => {
    const { review, knowledge } = await board(three());
    review.choose('a');
    review.begin('reject');
    expect(knowledge.decided).toEqual([]);
    if (review.form) review.form = { ...review.form, reason: ' it is not so ' };
    knowledge.failures.decide = new Fault('conflict', 'It was changed meanwhile.', 'Look at it again.');
    expect(await review.send()).toBe(false);
    expect([review.form?.reason, review.refused?.message, review.refused?.what]).toEqual([
      ' it is not so ',
      'It was changed meanwhile.',
      'decision',
    ]);
    expect(await review.send()).toBe(true);
    expect(knowledge.decided.at(-1)).toEqual(['a', 'reject', 'it is not so']);
    expect([review.form, review.refused, review.chosen]).toEqual([null, null, 'b']);
  });

  it('takes what was written along to another verdict, and nothing to another piece', async () => {
    const { review } = await board([sharedItem('a', 'x', 'y', { may: ['reject', 'mandate'] }), ...three().slice(2)]);
    review.choose('a');
    review.begin('reject');
    if (review.form) review.form = { ...review.form, reason: 'since it is so' };
    review.lookAhead(0);
    await eventually(() => expect(review.blind).toBe(false));
    review.begin('mandate');
    expect(review.form).toEqual({ verdict: 'mandate', reason: 'since it is so' });
    review.choose('b');
    expect(review.form).toBeNull();
  });

  it('is not done by who may not, nor twice at the same time', async () => {
    const { review, knowledge } = await board(three());
    const shown = async (id: string) => {
      review.choose(id);
      review.lookAhead(0);
      await eventually(() => expect(review.blind).toBe(false));
    };
    await shown('c');
    review.begin('approve');
    await shown('a');
    review.begin('approve');
    review.begin('approve');
    await eventually(() => expect(review.busy).toBe(false));
    expect(knowledge.decided).toEqual([['a', 'approve', '']]);
  });

  it('lets nothing come to hold before it is shown what would change', async () => {
    const { review, knowledge } = await board(three());
    review.choose('a');
    review.begin('approve');
    expect([review.busy, review.said.words]).toEqual([
      false,
      'What would change is still being worked out. Decide once it is shown.',
    ]);
    await eventually(() => expect(review.ahead?.now).not.toBeNull());
    review.begin('approve');
    await eventually(() => expect(knowledge.decided).toEqual([['a', 'approve', '']]));
    knowledge.failures.blast = new Fault('timeout', 'It took too long.');
    review.choose('b');
    review.lookAhead(0);
    await eventually(() => expect(review.ahead?.problem).not.toBeNull());
    review.begin('approve'); // why it is not known is shown
    await eventually(() => expect(knowledge.decided).toHaveLength(2));
  });

  it('is not undone by a list that was asked for before', async () => {
    const { review, knowledge } = await board(three());
    let release = () => {};
    knowledge.hold = new Promise((resolve) => (release = resolve));
    const slow = review.load();
    review.choose('a');
    await review.decide('approve');
    release();
    await slow;
    expect(ids(review)).toBe('bc');
  });
});

describe('the context file', () => {
  it('is written onto a branch, or as it is, and a refusal is its own', async () => {
    const { review, knowledge } = await board([decided('d', 'margin', 'approved')]);
    review.choose('d');
    knowledge.failures.propose = new Fault('not_found', 'There is no git repository.');
    expect(await review.propose(false)).toBe(false);
    expect(review.refused).toMatchObject({ message: 'There is no git repository.', what: 'file', id: 'd' });
    await review.propose(true);
    expect([review.refused, review.written?.file, knowledge.proposed.at(-1)]).toEqual([
      null,
      'terms/sales.yaml',
      ['d', true],
    ]);
  });
});

describe('having a model compare', () => {
  const judged: NonNullable<Reviewed['judged']> = {
    by: 'ollama:small',
    actor: 'ana',
    at: '2026-01-15T09:00:00Z',
    compared: 3,
    left: 0,
    failed: false,
    text: 'ollama:small compared it with 3 others about the same.',
  };

  it('shows what it says of the piece, and decides nothing', async () => {
    const { review, knowledge } = await board([sharedItem('a', 'sales', 'net revenue', { judge: 'ollama:small' })]);
    review.choose('a');
    knowledge.judgments.set('a', { judged });
    expect(await review.judge()).toBe(true);
    expect([review.item?.judged?.compared, review.item?.stands, review.said.words]).toEqual([3, 'pending', '']);
  });

  it('says why it was not compared', async () => {
    const { review, knowledge } = await board(three());
    review.choose('a');
    knowledge.failures.judge = new Fault('conflict', 'No model is chosen.');
    expect(await review.judge()).toBe(false);
    expect(review.refused).toMatchObject({ message: 'No model is chosen.', what: 'judgment', id: 'a' });
  });
});

describe('writing down', () => {
  const d = {
    title: 'Part years',
    content: '1996 is not whole',
    category: 'gotcha' as const,
    entities: ['orders'],
    tags: [],
  };

  it('puts it into the queue and looks at it', async () => {
    const { review } = await board(three());
    review.choose('a');
    review.writing = true;
    review.begin('approve');
    expect(review.busy).toBe(false); // nothing is decided about what is not in view
    review.draft = d;
    expect(await review.write(d)).toBe(true);
    expect([review.writing, review.draft, review.item?.title]).toEqual([false, null, 'Part years']);
  });

  it('keeps what was written when it is refused, and when others are looked at meanwhile', async () => {
    const { review, knowledge } = await board(three());
    review.writing = true;
    review.draft = d;
    knowledge.failures.write = new Fault('invalid', 'There is no entity orders.');
    expect(await review.write(d)).toBe(false);
    expect([review.writing, review.draft, review.refused?.message]).toEqual([true, d, 'There is no entity orders.']);
    review.choose('b');
    expect([review.writing, review.draft]).toEqual([false, d]);
  });

  it('forgets a piece and goes on to the next; what is refused stays and says why', async () => {
    const { review, knowledge } = await board(three());
    review.choose('a');
    knowledge.failures.forget = new Fault('conflict', 'It was decided that it holds.');
    expect(await review.forget()).toBe(false);
    expect([review.item?.id, review.refused?.what, review.refused?.message]).toEqual([
      'a',
      'forgetting',
      'It was decided that it holds.',
    ]);
    delete knowledge.failures.forget;
    expect(await review.forget()).toBe(true);
    expect(review.all.some(({ id }) => id === 'a')).toBe(false);
    expect([review.chosen, review.refused]).toEqual(['b', null]);
  });

  it('describes a piece anew', async () => {
    const { review } = await board(three());
    review.choose('a');
    expect(await review.describe({ ...d, tags: ['time'] })).toBe(true);
    expect([review.item?.tags, review.said.words]).toEqual([['time'], '“sales” is described anew.']);
  });
});

describe('offering', () => {
  it('puts what was taught into the queue', async () => {
    const { review } = await board([]);
    expect(review.offered('Sales', 'net revenue')).toBeNull();
    const item = await review.offer('c1');
    expect([review.offered('Sales', 'net revenue')?.id, review.waiting]).toEqual([item.id, 1]);
  });
});

describe('the place', () => {
  beforeEach(() => history.replaceState(null, '', '/#review'));

  async function page(items: Reviewed[]) {
    const backend = new FakeBackend();
    backend.knowledge.items = items;
    render(Root, { backend });
    await screen.findByRole('heading', { name: 'Review', level: 1 });
    return backend.knowledge;
  }
  const press = (key: string, at: Element = document.body) => fireEvent.keyDown(at, { key });

  it('says what it is while nothing is in it', async () => {
    await page([]);
    await screen.findByRole('heading', { name: 'Nothing is shared yet' });
    cleanup();
  });

  it('shows what the imported project says of the word beside what it would mean here', async () => {
    const says = {
      from: 'dbt manifest sha256:0123456789ab',
      verdict: 'differs' as const,
      note: 'The project computes metric sales otherwise.',
      object: 'metric sales',
      description: 'As the board counts it',
      there: 'sum(gross) of orders',
      here: 'sum(net) of orders',
      place: 'manifest.json:12',
    };
    const checked = { understood: true, says: 'net_revenue', notes: [], project: says };
    await page([sharedItem('a', 'sales', 'net revenue', { checked })]);
    await screen.findByRole('heading', { name: 'What the dbt project says' });
    expect(screen.getByRole('group', { name: 'In the project: metric sales' }).textContent).toBe(says.there);
    expect(screen.getByRole('group', { name: 'Here' }).textContent).toBe(says.here);
    screen.getByText('dbt manifest sha256:0123456789ab, manifest.json:12');
    cleanup();
  });

  it('is gone through by keys, which decide nothing while somebody writes', async () => {
    const knowledge = await page(three());
    await screen.findByRole('heading', { name: 'sales = net revenue' });
    await press('j');
    await screen.findByRole('heading', { name: 'season = June to August' });
    await press('k');
    await screen.findByRole('heading', { name: 'sales = net revenue' });
    await press('r', screen.getByRole('searchbox'));
    expect(screen.queryByRole('textbox', { name: /Why it shall not hold/ })).toBeNull();
    await press('r');
    const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: /Why it shall not hold/ });
    await eventually(() => expect(document.activeElement).toBe(field));
    await press('a', field);
    await fireEvent.input(field, { target: { value: 'no' } });
    await press('Enter', field);
    await screen.findByText('“sales” is rejected.');
    expect(knowledge.decided).toEqual([['a', 'reject', 'no']]);
    cleanup();
  });

  it('takes what is to be known, in a form of its own', async () => {
    const knowledge = await page(three());
    await fireEvent.click(await screen.findByRole('button', { name: 'Write down…' }));
    const field = (name: RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name });
    await eventually(() => expect(document.activeElement).toBe(field(/^Title/)));
    await fireEvent.input(field(/^Title/), { target: { value: 'Part years' } });
    await fireEvent.input(field(/^What is to be known/), { target: { value: '1996 is not whole' } });
    await fireEvent.input(field(/^About/), { target: { value: 'orders, , shippers' } });
    await fireEvent.click(screen.getByRole('radio', { name: 'Something to watch out for' }));
    knowledge.failures.write = new Fault('invalid', 'There is no entity shippers.');
    await fireEvent.click(screen.getByRole('button', { name: 'Keep' }));
    await screen.findByText('There is no entity shippers.');
    await fireEvent.click(screen.getByRole('link', { name: /^season/ }));
    await screen.findByRole('heading', { name: 'season = June to August' });
    await fireEvent.click(screen.getByRole('button', { name: 'Write down…' }));
    expect([field(/^Title/).value, field(/^About/).value]).toEqual(['Part years', 'orders, shippers']);
    await fireEvent.click(screen.getByRole('button', { name: 'Keep' }));
    await screen.findByRole('heading', { level: 2, name: 'Part years' });
    expect(knowledge.items[0]).toMatchObject({ category: 'gotcha', entities: ['orders', 'shippers'] });
    await fireEvent.click(await screen.findByRole('button', { name: 'Describe anew' }));
    await fireEvent.input(field(/^Tags/), { target: { value: 'time' } });
    await fireEvent.click(screen.getByRole('button', { name: 'Keep' }));
    await eventually(() =>
      expect(screen.getByRole('region', { name: 'What it is about' }).textContent).toContain('time'),
    );
    cleanup();
  });

  it('shows what people wrote as text', async () => {
    const evil = '<img src=x onerror=alert(1)>';
    const quote = '\u202eevil\u202c '.repeat(40);
    await page([
      sharedItem('a', evil, evil, {
        evidence: [{ actor: evil, detection: 'correction', quote, ref: '', at: '2026-01-15T09:00:00Z' }],
      }),
    ]);
    await screen.findByRole('heading', { level: 2, name: `${evil} = ${evil}` });
    expect(document.querySelector('img')).toBeNull();
    cleanup();
  });

  it('marks what a model says, and asks it when somebody wants it to', async () => {
    const by = 'ollama:small';
    const knowledge = await page([
      sharedItem('a', 'sales', 'net revenue', {
        judge: by,
        conflicts: [
          {
            item: 'b',
            term: 'sales',
            means: 'units',
            relation: 'rival',
            severity: 'medium',
            suggestion: 'keep_this',
            by: 'rules',
            why: '',
          },
          {
            item: 'c',
            term: 'takings',
            means: 'gross revenue',
            relation: 'contrary',
            severity: 'high',
            suggestion: 'keep_other',
            by,
            why: '<b>freight</b> differs',
          },
          { item: 'd', term: 'x', means: 'y', relation: 'contrary', severity: '', suggestion: '', by, why: '' },
        ],
      }),
    ]);
    const rows = (await screen.findByRole('region', { name: 'What says otherwise' })).querySelectorAll('li');
    expect(rows[0]?.textContent).toContain('By its evidence this one is the surer');
    expect(rows[0]?.textContent).not.toContain('a model');
    expect(rows[1]?.textContent).toContain('ollama:small says so');
    expect(rows[1]?.querySelector('q')?.textContent).toBe('<b>freight</b> differs');
    expect(rows[1]?.textContent).toContain('They were not checked, and decide nothing.');
    expect(rows[1]?.textContent).toContain('It suggests to keep the other.');
    expect(rows[2]?.querySelector('q')).toBeNull();
    expect(rows[2]?.textContent).not.toContain('weight');
    knowledge.judgments.set('a', {
      conflicts: [],
      judged: { by, actor: 'ana', at: '2026-01-15T09:00:00Z', compared: 0, left: 2, failed: true, text: 'It failed.' },
    });
    await fireEvent.click(screen.getByRole('button', { name: 'Compare with ollama:small' }));
    await screen.findByText('It failed.');
    expect(screen.queryByText('ollama:small says so')).toBeNull();
    cleanup();
  });

  it('says what it still takes, and whose words are not shown', async () => {
    await page([sharedItem('a', 'sales', 'net revenue', { may: ['endorse'], people: 3, seniors: 2, needed: 4 })]);
    await screen.findByText(/takes 4 senior people before a steward can approve/);
    await screen.findByText(/2 more people said so/);
    expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull();
    cleanup();
  });

  it('shows the commit of a file that was written onto a branch', async () => {
    const knowledge = await page([sharedItem('a', 'sales', 'x', { stands: 'approved', may: ['revoke'] })]);
    knowledge.patch = 'From 0a1b2c: Agree that <b>sales</b>';
    await fireEvent.click(await screen.findByRole('radio', { name: /^Decided/ }));
    expect(screen.queryByRole('button', { name: 'Write the file directly' })).toBeNull();
    await fireEvent.click(await screen.findByRole('button', { name: 'Write it onto a branch' }));
    await fireEvent.click(await screen.findByRole('button', { name: /for git am/ }));
    await screen.findByText('From 0a1b2c: Agree that <b>sales</b>');
    cleanup();
  });

  it('is counted in the rail when something waits, and only then', async () => {
    const knowledge = await page(three());
    await screen.findByRole('button', { name: 'Review: 2 wait for your decision' });
    await screen.findByRole('heading', { name: 'sales = net revenue' });
    const ready = () =>
      eventually(() => expect(screen.getByRole('button', { name: /^Approve/ }).ariaDisabled).not.toBe('true'));
    await ready();
    await press('a');
    await screen.findByRole('button', { name: 'Review: 1 waits for your decision' });
    await eventually(() => expect(document.activeElement?.textContent).toContain('season'));
    await ready();
    await press('a');
    await screen.findByRole('button', { name: 'Review' });
    expect(knowledge.decided.map(([id]) => id)).toEqual(['a', 'b']);
    cleanup();
  });
});
