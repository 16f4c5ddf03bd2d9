import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import FrameCard from '$components/artifacts/frame/FrameCard.svelte';
import Narration from '$components/artifacts/narration/Narration.svelte';
import Refusal from '$components/artifacts/refusal/Refusal.svelte';
import Clarification from '$components/artifacts/clarification/Clarification.svelte';
import Composer from '$components/chat/Composer.svelte';
import { LocalRows } from '$lib/grid/local.svelte';
import Grid from '$shared/grid/Grid.svelte';
import Root from '../src/Root.svelte';
import { FakeBackend } from '$lib/api/fake';
import { desk } from './desk';
import { answers, northwind } from './fixtures';

describe('Composer', () => {
  const make = (props = {}) => {
    const onask = vi.fn();
    render(Composer, {
      running: false,
      disabled: false,
      recent: ['last', 'first'],
      complete: async () => [],
      onask,
      oncancel: vi.fn(),
      ...props,
    });
    return { onask, field: screen.getByRole<HTMLTextAreaElement>('textbox') };
  };

  it('sends on Enter, breaks on Shift+Enter, and is empty afterwards', async () => {
    const { onask, field } = make();
    await fireEvent.input(field, { target: { value: ' revenue ' } });
    await fireEvent.keyDown(field, { key: 'Enter', shiftKey: true });
    expect(onask).not.toHaveBeenCalled();
    await fireEvent.keyDown(field, { key: 'Enter' });
    expect(onask).toHaveBeenCalledExactlyOnceWith('revenue', {});
    expect(field.value).toBe('');
  });

  it('recalls earlier questions with the arrows', async () => {
    const { field } = make();
    for (const expected of ['last', 'first', 'first']) {
      await fireEvent.keyDown(field, { key: 'ArrowUp' });
      expect(field.value).toBe(expected);
    }
    await fireEvent.keyDown(field, { key: 'ArrowDown' });
    await fireEvent.keyDown(field, { key: 'ArrowDown' });
    expect(field.value).toBe('');
  });

  it('asks nothing without the program, and while something runs asks next', async () => {
    const { onask, field } = make({ disabled: true });
    await fireEvent.input(field, { target: { value: 'revenue' } });
    await fireEvent.keyDown(field, { key: 'Enter' });
    expect(onask).not.toHaveBeenCalled();
    expect(field.value).toBe('revenue');
    cleanup();
    const busy = make({ running: true });
    expect(screen.queryByRole('button', { name: 'Ask next' })).toBeNull();
    await fireEvent.input(busy.field, { target: { value: 'revenue' } });
    await fireEvent.click(screen.getByRole('button', { name: 'Ask next' }));
    expect(busy.onask).toHaveBeenCalledExactlyOnceWith('revenue', {});
    expect(busy.field.value).toBe('');
  });
});

it('a number of the narration points at its cell while it is hovered or focused', async () => {
  const onpoint = vi.fn();
  const onopen = vi.fn();
  render(Narration, { narration: answers.category.narration!, onpoint, onopen });
  const number = screen.getByRole('button', { name: '115,387.64' });
  const cell = { frame: 'frm_category', row: 3, column: 'revenue' };
  await fireEvent.mouseEnter(number);
  expect(onpoint).toHaveBeenLastCalledWith(cell);
  await fireEvent.mouseLeave(number);
  expect(onpoint).toHaveBeenLastCalledWith(null);
  await fireEvent.focus(number);
  expect(onpoint).toHaveBeenLastCalledWith(cell);
  await fireEvent.click(number);
  expect(onopen).toHaveBeenCalledWith(cell);
});

it('a narration of a model says whose the words and whose the numbers are, and a worked out number what it is made of', async () => {
  const onpoint = vi.fn();
  const cells = [
    { row: 1, column: 'revenue' },
    { row: 0, column: 'revenue' },
  ];
  const place = { frame: 'f', row: 1, column: 'revenue' };
  const cited = { start: 13, end: 15, ...place, formula: 'diff(r1.revenue,r0.revenue)', cells };
  const narration = { text: 'Revenue rose 10.', by: 'model', model: 'some-model', citations: [cited] };
  const { rerender } = render(Narration, { narration, onpoint, onopen: vi.fn() });
  expect(screen.getByText('Written by some-model, numbers by Assay')).toBeTruthy();
  const number = screen.getByRole('button', { name: '10' });
  expect(number.title).toBe('revenue in row 2 minus revenue in row 1');
  await fireEvent.mouseEnter(number);
  expect(onpoint).toHaveBeenLastCalledWith({ frame: 'f', row: 1, column: 'revenue', cells });
  await rerender({ narration: { ...narration, model: undefined } });
  expect(screen.getByText('Written by a language model, numbers by Assay')).toBeTruthy();
  await rerender({ narration: { ...narration, by: 'template' } });
  expect(screen.queryByText(/numbers by Assay/)).toBeNull();
});

it('a repair runs its query, a choice asks its question, the best guess stands first', async () => {
  const onask = vi.fn();
  render(Refusal, { refusal: answers.refuse.refusal!, disabled: false, onask });
  await fireEvent.click(screen.getByRole('button', { name: /Revenue by region/ }));
  expect(onask).toHaveBeenLastCalledWith({ frame_ql: 'SELECT revenue AT regions' });
  render(Clarification, { clarification: answers.clarify.clarification!, locale: 'en-US', disabled: false, onask });
  const choices = screen.getAllByRole('listitem').slice(2);
  expect(choices[0]?.textContent).toContain('most likely, 55%');
  await fireEvent.click(screen.getByRole('button', { name: /Number of orders/ }));
  expect(onask).toHaveBeenLastCalledWith({ question: 'number of orders by month' });
});

describe('Grid', () => {
  const columns = [
    { name: 'name', label: 'Name', unit: '', numeric: false },
    { name: 'value', label: 'Value', unit: 'USD', numeric: true },
  ];
  const rows = Array.from({ length: 10000 }, (_, index) => [index === 1 ? null : `row ${index}`, index]);
  const make = (props = {}) =>
    render(Grid, {
      label: 'Numbers',
      columns,
      source: new LocalRows(() => ({ rows, kindOf: (column) => (column === 1 ? 'number' : 'text'), locale: 'en' })),
      show: String,
      locale: 'en',
      ...props,
    });

  it('draws a few of many rows and says how many there are', () => {
    make();
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('10001');
    expect(screen.getAllByRole('row').length).toBeLessThan(60);
    expect(screen.getByText('null')).toBeTruthy();
    expect(screen.getByRole('columnheader', { name: /Value USD/ })).toBeTruthy();
  });

  it('lights the cell of its row also after sorting', async () => {
    const { container } = make({ lit: [{ row: 9999, column: 'value' }] });
    await fireEvent.click(screen.getByRole('columnheader', { name: /Value/ }));
    await tick();
    expect(container.querySelector('.lit')?.textContent?.trim()).toBe('9999');
    expect(screen.getByRole('columnheader', { name: /Value/ }).getAttribute('aria-sort')).toBe('descending');
  });

  it('lights every cell of a number that was worked out, and a whole column', async () => {
    const { container, rerender } = make({
      lit: [
        { row: 2, column: 'value' },
        { row: 0, column: 'value' },
      ],
    });
    const lit = () => [...container.querySelectorAll('.lit')].map((cell) => cell.textContent?.trim());
    expect(lit()).toEqual(['0', '2']);
    await rerender({ lit: [{ row: -1, column: 'value' }] });
    expect(lit().length).toBeGreaterThan(5);
    await rerender({ lit: [] });
    expect(lit()).toEqual([]);
  });

  it('has one tab stop and moves it by key', async () => {
    const { container } = make();
    await fireEvent.keyDown(screen.getByRole('grid'), { key: 'ArrowDown' });
    await tick();
    expect(container.querySelectorAll('[role=gridcell][tabindex="0"]')).toHaveLength(1);
    expect(document.activeElement?.getAttribute('data-place')).toBe('1:0');
  });
});

describe('the page', () => {
  it('begins with the workspace and runs a starter question on a click', async () => {
    const backend = new FakeBackend();
    backend.workspaces = [northwind];
    backend.answer = async () => answers.refuse;
    render(Root, { backend });
    await fireEvent.click(await screen.findByRole('button', { name: 'total revenue' }));
    expect(backend.asked[0]?.question).toBe('total revenue');
    expect(await screen.findByText(/There is no metric called/)).toBeTruthy();
  });

  it('says so when the workspace cannot be read, and tries again', async () => {
    const backend = new FakeBackend();
    render(Root, { backend });
    backend.workspaces = [northwind];
    await fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'Northwind', level: 2 })).toBeTruthy();
  });
});

it('a result says above its rows what to know about its numbers, each once, and not again below', async () => {
  const answer = structuredClone(answers.category);
  const text = '34 % of the rows counted have no country: 679 of 2,000.';
  answer.frame!.notices = [{ code: 'NULL_MEMBER', severity: 'caution', facts: { rows: 679 }, text }];
  answer.findings = [{ code: 'NULL_MEMBER', severity: 'caution', status: 'finding', message: text }];
  answer.verification!.checks = [];
  render(FrameCard, {
    card: {
      kind: 'frame',
      place: '1',
      key: 'one',
      turn: 'one',
      number: 1,
      title: 'Revenue by category',
      at: '',
      frame: answer.frame!,
      chart: null,
      view: null,
      answer,
      facts: [],
      standing: null,
    },
    desk: desk(),
    view: { show: 'table' },
  });
  const list = screen.getByRole('list', { name: 'What to know about these numbers' });
  expect(list.textContent).toContain('34 % of the rows');
  expect(list.querySelector('li')!.className).toContain('caution');
  await fireEvent.click(screen.getByRole('button', { name: /Provenance/ }));
  expect(screen.getAllByText(text)).toHaveLength(1);
});
