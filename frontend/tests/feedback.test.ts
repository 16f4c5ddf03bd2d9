import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import Thumbs from '$components/chat/Thumbs.svelte';
import { FakeBackend } from '$lib/api/fake';
import { Fault } from '$lib/api/fault';
import type { Feedback } from '$lib/api/types';
import { FeedbackController } from '$lib/controllers/feedback.svelte';
import { LiveTurn } from '$lib/controllers/turn.svelte';
import { noOpinion, opinionWords, reasonsFor } from '$lib/feedback';
import { storedTurn as viewOf } from '$lib/turn';
import { answers, storedTurn } from './fixtures';

const feedback = (part: Partial<Feedback>): Feedback => ({
  thumb: 'down',
  reason: '',
  words: '',
  serious: false,
  at: '2026-01-15T09:00:00Z',
  ...part,
});

let backend: FakeBackend;
beforeEach(() => (backend = new FakeBackend()));

describe('what was said of an answer', () => {
  it('is a line', () => {
    expect(opinionWords(feedback({ thumb: 'up' }))).toBe('Good answer');
    expect(opinionWords(feedback({ reason: 'wrong', serious: true, words: 'not 4' }))).toBe(
      'A number is wrong · serious · “not 4”',
    );
  });

  it('has reasons of its thumb', () => {
    expect(reasonsFor('up').map(({ reason }) => reason)).not.toContain('wrong');
    expect(reasonsFor('down').map(({ reason }) => reason)).toContain('wrong');
  });

  it('comes back with the session', () => {
    const said = feedback({ reason: 'slow' });
    expect(viewOf(storedTurn({ feedback: said }), 0).opinion.now).toEqual(said);
  });
});

describe('FeedbackController', () => {
  const turn = () => new LiveTurn(viewOf(storedTurn({ answer: answers.category }), 0));

  it('keeps an opinion and takes it back', async () => {
    const settled = vi.fn();
    const controller = new FeedbackController(backend.feedback, settled, () => undefined);
    const about = turn();
    expect(await controller.give(about, feedback({ reason: 'wrong' }))).toBe(true);
    expect(about.opinion.now?.reason).toBe('wrong');
    expect(await controller.give(about, null)).toBe(true);
    expect([about.opinion.now, backend.opinions.length, settled.mock.calls.length]).toEqual([null, 2, 2]);
  });

  it('says why it was not kept, and keeps what was said before', async () => {
    const controller = new FeedbackController(
      backend.feedback,
      () => undefined,
      () => undefined,
    );
    const about = turn();
    await controller.give(about, feedback({ thumb: 'up' }));
    backend.failures.feedback = new Fault('unavailable', 'The disk is full.');
    expect(await controller.give(about, feedback({}))).toBe(false);
    expect([about.opinion.now?.thumb, about.opinion.problem?.message]).toEqual(['up', 'The disk is full.']);
  });
});

describe('Thumbs', () => {
  it('keeps a thumb up at once, a thumb down with its reason', async () => {
    const onopinion = vi.fn(async () => true);
    render(Thumbs, { state: noOpinion, onopinion });
    await fireEvent.click(screen.getByLabelText('Not a good answer'));
    expect(onopinion).not.toHaveBeenCalled();
    await fireEvent.click(screen.getByLabelText('A number is wrong'));
    await fireEvent.click(screen.getByLabelText(/This was serious/));
    await fireEvent.click(screen.getByText('Keep'));
    expect(onopinion).toHaveBeenLastCalledWith({ thumb: 'down', reason: 'wrong', words: '', serious: true });
    await fireEvent.click(screen.getByLabelText('Good answer'));
    expect(onopinion).toHaveBeenLastCalledWith({ thumb: 'up', reason: '', words: '', serious: false });
    expect(screen.queryByLabelText(/This was serious/)).toBe(null);
  });

  it('keeps the form open when it could not be kept', async () => {
    render(Thumbs, { state: noOpinion, onopinion: async () => false });
    await fireEvent.click(screen.getByLabelText('Not a good answer'));
    await fireEvent.click(screen.getByText('Keep'));
    expect(screen.getByText('Keep')).toBeTruthy();
  });
});
