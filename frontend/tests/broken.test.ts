import { fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, describe, expect, it } from 'vitest';
import { renderers } from '$components/artifacts/registry';
import ResultStack from '$components/artifacts/ResultStack.svelte';
import type { Turn } from '$lib/api/types';
import { FakeBackend } from '$lib/api/fake';
import { cardsOf, type Result } from '$lib/blocks';
import { readTurn } from '$lib/turn';
import Root from '../src/Root.svelte';
import { desk } from './desk';
import { answers, northwind, storedSession, storedTurn } from './fixtures';

afterEach(() => {
  location.hash = '';
});

/** A value of which every part throws when it is looked at. */
const broken = (keep: object = {}) =>
  new Proxy(keep, {
    get(known, name) {
      if (name in known) return known[name as keyof typeof known];
      throw new Error(`${String(name)} is broken`);
    },
  });

const good = (): Result => cardsOf([readTurn(storedTurn({ request_id: 'good', answer: answers.category }), 0)])[0]!;

/** A card of a kind whose data throws when it is drawn. */
function brokenCard(kind: Result['kind']): Result {
  const { answer, ...rest } = good();
  const title = 'a broken card';
  const data = {
    frame: broken({ id: 'f' }),
    body: broken(),
    explanation: broken(),
    chart: null,
    view: null,
    facts: [],
  };
  const card = { ...rest, ...data, kind, title, answer, key: 'bad', turn: 'bad', place: 'bad' };
  Object.defineProperty(card, 'named', { get: () => broken() });
  return card as unknown as Result;
}

describe('a card that cannot be drawn', () => {
  it.each(Object.keys(renderers) as Result['kind'][])('says so, and leaves the others alone: %s', async (kind) => {
    render(ResultStack, { cards: [brokenCard(kind), good()], desk: desk() });
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain("“a broken card” can't be shown.");
    expect(within(alert).getByRole('button', { name: 'Copy details' })).toBeTruthy();
    expect(screen.getAllByRole('grid').length).toBe(1);
  });
});

describe('a session with answers that cannot be shown', () => {
  const part = (answer: unknown): Partial<Turn> => ({ answer: answer as Turn['answer'] });
  const narration = { text: 'All of it.', citations: broken(), by: 'template' };
  const odd: Partial<Turn>[] = [
    part({ ...answers.category, narration }),
    part({ ...answers.category, understood: broken({ reading: '', frame_ql: 'x' }) }),
    part({ ...answers.refuse, refusal: broken() }),
    part({ ...answers.clarify, clarification: broken() }),
    part({ ...answers.category, followups: broken({ length: 1 }) }),
    part({ ...answers.category, artifacts: null }),
    { artifacts: null as never },
    { trace: null as never },
    { artifacts: [{ id: 'a', kind: 'comparison', turn: 1, title: 'odd', body: null as never, created: '' }] as never },
  ];

  it.each(odd.map((turn, place) => [place, turn] as const))(
    'opens, and can be left by Esc and asked: %i',
    async (_, turn) => {
      const stored = storedSession();
      const first = storedTurn({ request_id: 'odd', question: 'an odd one', ...turn });
      stored.turns = [
        { ...first, answer: first.answer ?? answers.category },
        { ...stored.turns[0]!, index: 2, place: 2 },
      ];
      const backend = new FakeBackend();
      backend.workspaces = [northwind];
      backend.documents.set(stored.id, stored);
      location.hash = `#session/${stored.id}`;
      render(Root, { backend });
      await screen.findByText('an odd one', { selector: 'article h2' });
      await fireEvent.keyDown(window, { key: 'Escape' });
      expect(document.querySelector<HTMLTextAreaElement>('#composer')?.disabled).toBe(false);
      expect(document.querySelectorAll('article[aria-label^="Question"]').length).toBe(2);
    },
  );
});
