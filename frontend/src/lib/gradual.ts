// Draws the entries of a long list gradually: those near the view at once, the others one by one, the nearest first, while the page has
// nothing else to do. In the end all are there, for printing, for searching in the page and for who reads it aloud.
import { flushSync } from 'svelte';
import { whenIdle } from './idle';

/** How far outside of what is in view an entry is drawn at once, in pixels. */
const margin = 600;

/** How long the page is kept from everything else at a time, in milliseconds; an entry is drawn whole. */
const slice = 20;

/** What is not drawn yet, with how to draw it. */
const waiting = new Map<HTMLElement, () => void>();
const watchers = new WeakMap<HTMLElement, IntersectionObserver>();
let idle: (() => void) | null = null;

/** Draws something where `place` stands: when it comes near the view, or later. Returns the way to let it be. */
export function gradually(place: HTMLElement, draw: () => void): () => void {
  const list = listOf(place);
  // Nothing says what is in view: all of it is drawn.
  if (!list || typeof IntersectionObserver === 'undefined') {
    draw();
    return () => undefined;
  }
  waiting.set(place, draw);
  watcherOf(list).observe(place);
  goOn();
  return () => {
    waiting.delete(place);
    watchers.get(list)?.unobserve(place);
  };
}

/** Draws at once what waits within an element, so that it can be measured, focused and read. */
export function drawWithin(element: Element): void {
  for (const place of [...waiting.keys()]) if (element.contains(place)) drawAt(place);
}

const listOf = (place: HTMLElement): HTMLElement | null => place.closest<HTMLElement>('[data-gradual]');

function watcherOf(list: HTMLElement): IntersectionObserver {
  const known = watchers.get(list);
  if (known) return known;
  const watcher = new IntersectionObserver(
    (seen) =>
      seen.filter(({ isIntersecting }) => isIntersecting).forEach(({ target }) => drawAt(target as HTMLElement)),
    { root: list, rootMargin: `${margin}px 0px` },
  );
  watchers.set(list, watcher);
  return watcher;
}

function goOn(): void {
  if (idle || waiting.size === 0) return;
  idle = whenIdle(() => {
    idle = null;
    const end = performance.now() + slice;
    while (performance.now() < end && waiting.size > 0) drawAt(nearest());
    goOn();
  });
}

/** The place nearest to the view of its list; in a list that nobody sees all are equally far. */
function nearest(): HTMLElement | null {
  let [found, least]: [HTMLElement | null, number] = [null, Infinity];
  for (const place of waiting.keys()) {
    const [it, view] = [place.getBoundingClientRect(), listOf(place)?.getBoundingClientRect()];
    const away = view ? Math.max(it.top - view.bottom, view.top - it.bottom, 0) : 0;
    if (away < least) [found, least] = [place, away];
  }
  return found;
}

/** Draws one entry; what is in view stays where it is when an entry above it becomes higher. */
function drawAt(place: HTMLElement | null): void {
  const draw = place && waiting.get(place);
  if (!draw) return;
  waiting.delete(place);
  const list = listOf(place);
  if (!list) return draw();
  watchers.get(list)?.unobserve(place);
  const above = place.getBoundingClientRect().bottom <= list.getBoundingClientRect().top;
  const height = list.scrollHeight;
  flushSync(draw);
  if (above) list.scrollTop += list.scrollHeight - height;
}

if (typeof window !== 'undefined')
  window.addEventListener('beforeprint', () => [...waiting.keys()].forEach((place) => drawAt(place)));
