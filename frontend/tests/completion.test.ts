import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import Composer from '$components/chat/Composer.svelte';
import type { Completion } from '$lib/api/types';
import { CompletionController } from '$lib/controllers/completion.svelte';

const item = (label: string, kind: Completion['kind'] = 'metric', detail = ''): Completion => ({
  text: `by ${label}`,
  label,
  kind,
  detail,
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const settle = async () => {
  await vi.advanceTimersByTimeAsync(100);
  await tick();
};

describe('the completions of the composer', () => {
  const make = (items: Completion[]) => {
    const onask = vi.fn();
    const complete = vi.fn(async () => items);
    render(Composer, { running: false, disabled: false, recent: ['last'], complete, onask, oncancel: vi.fn() });
    const field = screen.getByRole<HTMLTextAreaElement>('textbox');
    const type = async (text: string) => {
      await fireEvent.input(field, { target: { value: text } });
      await settle();
    };
    const press = (key: string) => fireEvent.keyDown(field, { key });
    return { onask, complete, field, type, press };
  };

  it('are a listbox that arrows walk through and Tab takes from', async () => {
    const { field, type, press } = make([item('category', 'entity'), item('country', 'dimension', 'customers')]);
    await type('by c');
    expect(screen.getByRole('listbox').id).toBe(field.getAttribute('aria-controls'));
    expect(field.getAttribute('aria-activedescendant')).toBeNull();
    await press('ArrowDown');
    await press('ArrowDown');
    const chosen = screen.getAllByRole('option')[1]!;
    expect(chosen.getAttribute('aria-selected')).toBe('true');
    expect(field.getAttribute('aria-activedescendant')).toBe(chosen.id);
    await press('Tab');
    expect(field.value).toBe('by country ');
    expect(screen.queryByRole('listbox')).toBeNull();
  });

  it('leave Enter to the question until one is chosen', async () => {
    const { onask, field, type, press } = make([item('category')]);
    await type('by c');
    await press('ArrowDown');
    await press('Enter');
    expect(onask).not.toHaveBeenCalled();
    expect(field.value).toBe('by category ');
    await type('by c');
    await press('Enter');
    expect(onask).toHaveBeenCalledExactlyOnceWith('by c', {});
    expect(screen.queryByRole('listbox')).toBeNull();
  });

  it('close with Esc, and the arrows recall earlier questions again', async () => {
    const { field, type, press } = make([item('category')]);
    await type('by c');
    await press('Escape');
    expect(screen.queryByRole('listbox')).toBeNull();
    await type('');
    await press('ArrowUp');
    expect(field.value).toBe('last');
  });

  it('are taken on a click, and a whole question stands as it is', async () => {
    const { field, type } = make([{ text: 'total revenue', label: 'total revenue', kind: 'question', detail: '' }]);
    await type('tot');
    await fireEvent.click(screen.getByRole('option'));
    expect(field.value).toBe('total revenue');
  });
});

describe('the controller', () => {
  it('asks once typing rests, and drops what comes too late', async () => {
    const answers: ((items: Completion[]) => void)[] = [];
    const complete = vi.fn(() => new Promise<Completion[]>((resolve) => answers.push(resolve)));
    const controller = new CompletionController(complete);
    for (const text of ['r', 're', 'rev']) controller.look(text, true);
    await settle();
    expect(complete).toHaveBeenCalledTimes(1);
    controller.look('reve', true);
    await settle();
    answers[1]!([item('revenue')]);
    answers[0]!([item('old')]);
    await settle();
    expect(controller.items.map((found) => found.label)).toEqual(['revenue']);
  });

  it('offers nothing in the middle of a question, without one, or when the program fails', async () => {
    const complete = vi.fn(() => Promise.reject(new Error('gone')));
    const controller = new CompletionController(complete);
    controller.look('rev', false);
    controller.look('  ', true);
    await settle();
    expect(complete).not.toHaveBeenCalled();
    controller.look('rev', true);
    await settle();
    expect(controller.open).toBe(false);
    expect(controller.accept()).toBeNull();
  });
});
