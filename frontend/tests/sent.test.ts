import { fireEvent, render, screen } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import Left from '$components/artifacts/provenance/Left.svelte';
import Provenance from '$components/artifacts/provenance/Provenance.svelte';
import { Fault } from '$lib/api/fault';
import type { Answer, Fact, SentTexts } from '$lib/api/types';
import { blocksOf } from '$lib/blocks';
import { sentRequests } from '$lib/sent';
import { storedTurn as turnView } from '$lib/turn';
import { answers, storedTurn } from './fixtures';

const hostile = '<img src=x onerror="alert(1)"> how did we fare';
const kept: SentTexts = {
  requests: [
    { to: 'models.example:443', task: 'planning', parts: ['a', 'b', 'gone'] },
    { to: 'models.example:443', task: 'narration', parts: ['a', 'b', 'c', 'a'] },
  ],
  texts: { a: 'You plan.', b: hostile, c: 'Now say it.' },
};
const sent = (local: boolean): Answer['sent'] => [
  { to: 'models.example:443', provider: 'openai', model: 'm', local, task: 'planning', bytes: 812, received: 9, masked: 0, tokens_in: 1, tokens_out: 1, tokens_kept: 0, failed: false, carried: [] },
]; // prettier-ignore
const facts: Fact[] = [
  { code: 'egress', label: 'What left', text: '812 bytes', lines: [] },
  { code: 'mind', label: 'Mind', text: 'm planned', lines: [] },
];
const view = (answer: Answer) => turnView(storedTurn({ answer }), 0);
const words = 'What was sent, word for word';

describe('what was sent', () => {
  it('is each text where it was sent first', () => {
    expect(sentRequests(kept).map(({ task, words }) => [task, words])).toEqual([
      ['planning', [{ kind: 'text', text: 'You plan.' }, { kind: 'text', text: hostile }, { kind: 'gone' }]],
      ['narration', [{ kind: 'again', n: 2 }, { kind: 'text', text: 'Now say it.' }, { kind: 'again', n: 1 }]],
    ]); // prettier-ignore
    expect(sentRequests({ requests: [{ to: '', task: '', parts: ['toString'] }], texts: {} })[0]?.words).toEqual([
      { kind: 'gone' },
    ]);
  });

  it('stands behind what left, as text and never as markup, and is fetched when it is wanted', async () => {
    const answer = { ...answers.category, sent: sent(false) };
    const sentTexts = vi.fn(async () => kept);
    const { container } = render(Provenance, {
      answer, frame: answer.frame!, standing: null, facts, locale: 'en-US', running: false, onrun: vi.fn(), sentTexts,
    }); // prettier-ignore
    expect(sentTexts).not.toHaveBeenCalled();
    await fireEvent.click(screen.getByRole('button', { name: words }));
    expect((await screen.findByText(hostile)).tagName).toBe('PRE');
    expect(sentTexts).toHaveBeenCalledExactlyOnceWith(answer.request_id);
    expect(container.querySelector('img')).toBeNull();
    expect(screen.getByText('2 texts from above, once more')).toBeTruthy();
    expect(screen.getByText('A text that was too long to keep')).toBeTruthy();
  });

  it('is nothing for a model of this machine', () => {
    const answer = { ...answers.category, sent: sent(true) };
    render(Provenance, {
      answer, frame: answer.frame!, standing: null, facts, locale: 'en-US', running: false, onrun: vi.fn(), sentTexts: vi.fn(),
    }); // prettier-ignore
    expect(screen.getByText('812 bytes')).toBeTruthy();
    expect(screen.queryByRole('button', { name: words })).toBeNull();
  });

  it('is reached from a refusal and a question back, which have no card', async () => {
    const refused = { ...answers.refuse, sent: sent(false) };
    expect(blocksOf(view(refused)).map(({ kind }) => kind)).toContain('sent');
    expect(blocksOf(view(answers.refuse)).map(({ kind }) => kind)).not.toContain('sent');
    expect(blocksOf(view({ ...answers.category, sent: sent(false) })).map(({ kind }) => kind)).not.toContain('sent');
    const desk = {
      onprovenance: vi.fn(),
      sentTexts: async () => Promise.reject(new Fault('not_found', 'There is no such request.', 'Ask again.')),
    };
    render(Left, { turn: 'r1', answer: refused, facts, desk });
    await fireEvent.click(screen.getByRole('button', { name: 'What left this machine' }));
    expect(desk.onprovenance).toHaveBeenCalledExactlyOnceWith('r1');
    expect(screen.getByText('m planned')).toBeTruthy();
    await fireEvent.click(screen.getByRole('button', { name: words }));
    expect(await screen.findByText('There is no such request.', { exact: false })).toBeTruthy();
  });
});
