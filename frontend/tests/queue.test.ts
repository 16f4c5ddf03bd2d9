import { beforeEach, describe, expect, it } from 'vitest';
import { App } from '$lib/app.svelte';
import { FakeBackend } from '$lib/api/fake';
import type { Answer } from '$lib/api/types';
import { answers, storedSession } from './fixtures';
import { eventually } from './eventually';

let backend: FakeBackend;
let finish: (answer: Answer) => void;
const asked = () => backend.asked.map(({ question }) => question);
const waiting = (app: App) => app.queue.waiting.map((one) => one.asked.question);

beforeEach(() => {
  history.replaceState(null, '', '/');
  backend = new FakeBackend();
  backend.answer = (request, onEvent) => {
    onEvent({ request_id: request.request_id ?? '', session_id: answers.category.session_id });
    return new Promise((resolve) => (finish = resolve));
  };
});

/** An app in which "one" runs, "two" and "three" wait. */
async function running() {
  const app = new App(backend);
  void app.queue.put({ question: 'one' });
  await eventually(() => expect(asked()).toEqual(['one']));
  await app.queue.put({ question: 'two', criticality: 'high' });
  await app.queue.put({ question: 'three' });
  return app;
}

describe('Queue', () => {
  it('asks what waits in its order, each once the one before has its answer', async () => {
    const app = await running();
    expect([asked(), waiting(app), app.queue.held]).toEqual([['one'], ['two', 'three'], false]);
    finish(answers.category);
    await eventually(() => expect(asked()).toEqual(['one', 'two']));
    expect(backend.asked[1]).toMatchObject({
      question: 'two',
      criticality: 'high',
      session_id: answers.category.session_id,
    });
    finish(answers.category);
    await eventually(() => expect(asked()).toEqual(['one', 'two', 'three']));
    expect(waiting(app)).toEqual([]);
  });

  it('is held by a question back, a refusal and a stop, until a person says so', async () => {
    for (const end of [
      () => finish({ ...answers.category, outcome: 'clarify' }),
      () => finish({ ...answers.category, outcome: 'refuse' }),
    ]) {
      backend.asked = [];
      const app = await running();
      end();
      await eventually(() => expect(app.queue.held).toBe(true));
      await Promise.resolve();
      expect([asked(), waiting(app)]).toEqual([['one'], ['two', 'three']]);
      void app.queue.go();
      await eventually(() => expect(asked()).toEqual(['one', 'two']));
      finish(answers.category);
      await eventually(() => expect(asked()).toEqual(['one', 'two', 'three']));
    }
    backend.asked = [];
    const app = await running();
    app.run.cancel();
    finish(answers.category); // too late
    await Promise.resolve();
    expect([app.queue.held, waiting(app), asked()]).toEqual([true, ['two', 'three'], ['one']]);
  });

  it('does not follow into another session by itself', async () => {
    backend.documents.set('ses_1', storedSession());
    const app = await running();
    await app.openSession('ses_1');
    finish(answers.category);
    await eventually(() => expect(app.queue.held).toBe(true));
    expect(asked()).toEqual(['one']);
  });

  it('gives one back to be written anew, and one more is nothing', async () => {
    const app = await running();
    const [two] = app.queue.waiting;
    expect(app.queue.take(two!.key)?.asked.question).toBe('two');
    expect(app.queue.take(two!.key)).toBeUndefined();
    expect(waiting(app)).toEqual(['three']);
  });
});

describe('a link to an answer', () => {
  const turn = () => storedSession().turns[0]!.request_id;

  it('opens its session and brings the answer into view; the address then names the session alone', async () => {
    backend.documents.set('ses_1', storedSession());
    history.replaceState(null, '', `#session/ses_1/${turn()}`);
    const app = new App(backend);
    await app.start();
    expect(app.session.wantedTurn).toEqual({ requestId: turn() });
    expect([app.problem, location.hash]).toEqual([null, '#session/ses_1']);
    expect(app.places.linkTo('ses_1', 'r')).toBe(`${location.origin}/#session/ses_1/r`);
  });

  it('says what its session does not have, and leaves what runs in an open session alone', async () => {
    backend.documents.set('ses_1', storedSession());
    const app = new App(backend);
    await app.openSession('ses_1', 'gone');
    expect(app.problem?.message).toMatch(/no such answer/);
    void app.ask({ question: 'slow' });
    await app.openSession('ses_1', turn());
    expect([app.run.running, app.session.wantedTurn]).toEqual([true, { requestId: turn() }]);
  });

  it('names nothing where it is not well formed', () => {
    for (const hash of ['#session/', '#session/a/b/c', '#session/../x', '#session/a b']) {
      history.replaceState(null, '', hash);
      const { places } = new App(backend);
      expect([hash, places.sessionId, places.answerId]).toEqual([hash, null, null]);
    }
  });
});
