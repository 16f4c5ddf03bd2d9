import { describe, expect, it } from 'vitest';
import { FakeBackend } from '$lib/api/fake';
import { MemoryController } from '$lib/controllers/memory.svelte';
import { Undoing } from '$lib/undo.svelte';

async function taught() {
  const backend = new FakeBackend();
  const undone = new Undoing();
  const memory = new MemoryController(backend.memory, undone);
  const lesson = await memory.teach({ words: 'sales means net revenue' });
  return { backend, undone, memory, lesson };
}

const said = (memory: MemoryController) => memory.all.map(({ term, means }) => `${term} = ${means}`).join('; ');

describe('what the person taught', () => {
  it('is listed, and an answer that taught it knows that it is there', async () => {
    const { memory, lesson } = await taught();
    expect(said(memory)).toBe('sales = net revenue');
    expect(memory.has(lesson)).toBe(true);
    expect(memory.has(null)).toBe(false);
  });

  it('stays as it was when something else is not understood, and says why', async () => {
    const { memory } = await taught();
    expect(await memory.teach({ words: 'rubbish' })).toBeNull();
    expect(memory.problem?.message).toMatch(/what a word means/);
    expect(said(memory)).toBe('sales = net revenue');
    await memory.load();
    expect(memory.problem).toBeNull();
  });

  it('is changed, and that is taken back', async () => {
    const { memory, undone } = await taught();
    const [correction] = memory.all;
    if (!correction) throw new Error('nothing was kept');
    expect(await memory.change(correction, { term: 'sales', means: 'orders' })).toBe(true);
    expect(said(memory)).toBe('sales = orders');
    await undone.undo();
    expect(said(memory)).toBe('sales = net revenue');
    await undone.redo();
    expect(said(memory)).toBe('sales = orders');
  });

  it('is forgotten, taught again by taking that back, and forgotten again', async () => {
    const { memory, undone, lesson } = await taught();
    const [correction] = memory.all;
    if (!correction) throw new Error('nothing was kept');
    expect(await memory.forget(correction)).toBe(true);
    expect(memory.all).toEqual([]);
    expect(memory.has(lesson)).toBe(false);
    await undone.undo();
    expect(said(memory)).toBe('sales = net revenue');
    await undone.redo();
    expect(memory.all).toEqual([]);
  });

  it('that is gone already is not forgotten twice, and says so', async () => {
    const { memory, backend } = await taught();
    const [correction] = memory.all;
    if (!correction) throw new Error('nothing was kept');
    backend.memory.corrections = [];
    expect(await memory.forget(correction)).toBe(false);
    expect(memory.problem?.message).toMatch(/nothing that is called so/);
  });
});

describe('what a changed part says that a word means', () => {
  async function asking() {
    const { backend, memory, undone } = await taught();
    const [one] = backend.memory.corrections;
    if (!one) throw new Error('nothing was kept');
    const change = { slot: 'metric' as const, from: 'SELECT revenue', to: 'SELECT gross_revenue' };
    backend.memory.noted = [{ ...one, id: 'n1', term: 'turnover', means: 'gross revenue', request_id: 'r1', change }];
    await memory.load();
    return { backend, memory, undone };
  }

  it('is asked for, remembered on a word, and forgotten like the others', async () => {
    const { memory } = await asking();
    expect(memory.asks('r1')?.means).toBe('gross revenue');
    expect(memory.asks('r2')).toBeUndefined();
    expect(said(memory)).toBe('sales = net revenue');
    const kept = await memory.settle('n1', true);
    expect(said(memory)).toBe('sales = net revenue; turnover = gross revenue');
    expect(memory.asks('r1')).toBeUndefined();
    expect(kept && (await memory.unlearn(kept))).toBe(true);
    expect(said(memory)).toBe('sales = net revenue');
  });

  it('is not remembered on another word, and not asked for again', async () => {
    const { memory } = await asking();
    expect(await memory.settle('n1', false)).toBeNull();
    expect(said(memory)).toBe('sales = net revenue');
    expect(memory.asks('r1')).toBeUndefined();
    expect(await memory.settle('n1', true)).toBeUndefined();
    expect(memory.problem?.message).toMatch(/Nothing that was noted/);
  });
});

describe('what was taught anew', () => {
  it('means again what it meant before, on a word', async () => {
    const { memory } = await taught();
    const lesson = await memory.teach({ term: 'sales', means: 'gross revenue' });
    if (!lesson?.correction) throw new Error('nothing was kept');
    const anew = { ...lesson, before: { id: lesson.correction.id, term: 'sales', means: 'net revenue' } };
    expect(memory.isAnew(anew)).toBe(true);
    expect(memory.isAnew({ ...anew, before: null })).toBe(false);
    expect(await memory.putBack(anew)).toBe(true);
    expect(said(memory)).toContain('sales = net revenue');
    expect(memory.isAnew(anew)).toBe(false);
  });

  it('looks again as it did before', async () => {
    const { memory } = await taught();
    await memory.prefer('scale', 'as_is');
    const lesson = await memory.teach({ words: 'scale: millions' });
    if (!lesson?.preference) throw new Error('nothing was kept');
    const before = { id: lesson.preference.id, term: 'numbers', means: 'in full', value: 'as_is' };
    expect(await memory.putBack({ ...lesson, before })).toBe(true);
    expect(memory.preferred('scale')).toBe('as_is');
    expect(await memory.putBack({ ...lesson, before: null })).toBe(false);
  });
});

describe('what an answer taught', () => {
  it('is narrowed to that answer, what it took the place of holds again, and that is taken back', async () => {
    const { memory, undone } = await taught();
    const anew = await memory.teach({ words: 'sales means gross revenue' });
    expect(anew && memory.means(anew)).toBe(true);
    expect(anew && (await memory.narrow(anew))).toBe(true);
    expect(said(memory)).toBe('sales = net revenue');
    expect(anew && memory.means(anew)).toBe(false);
    await undone.undo();
    expect(said(memory)).toBe('sales = gross revenue');
    await undone.redo();
    expect(said(memory)).toBe('sales = net revenue');
    expect(await memory.narrow({ correction: null, preference: null, before: null, words: '' })).toBe(false);
  });
});

describe('how the person wants answers to look', () => {
  it('is learned from words, known where it was learned, and forgotten there', async () => {
    const { memory, undone } = await taught();
    const lesson = await memory.teach({ words: 'scale: millions' });
    expect(memory.preferred('scale')).toBe('millions');
    expect(memory.preferred('decimals')).toBe('');
    expect(memory.has(lesson)).toBe(true);
    expect(lesson && (await memory.unlearn(lesson))).toBe(true);
    expect(memory.has(lesson)).toBe(false);
    await undone.undo();
    expect(memory.preferred('scale')).toBe('millions');
  });

  it('is chosen, changed and forgotten, and each is taken back', async () => {
    const { memory, undone } = await taught();
    expect(await memory.prefer('scale', 'millions')).toBe(true);
    expect(await memory.prefer('scale', 'as_is')).toBe(true);
    await undone.undo();
    expect(memory.preferred('scale')).toBe('millions');
    await undone.undo();
    expect(memory.preferences).toEqual([]);
    await undone.redo();
    expect(memory.preferred('scale')).toBe('millions');
    expect(await memory.prefer('scale', '')).toBe(true);
    expect(memory.preferences).toEqual([]);
    expect(said(memory)).toBe('sales = net revenue');
  });

  it('stays as it was where a value cannot be chosen, and says so', async () => {
    const { memory } = await taught();
    await memory.prefer('scale', 'millions');
    expect(await memory.prefer('scale', 'trillions')).toBe(false);
    expect(memory.problem?.message).toMatch(/cannot be chosen/);
    expect(memory.preferred('scale')).toBe('millions');
  });
});
