/** Does something once the page has nothing else to do. Returns the way to let it be. */
export function whenIdle(act: () => void): () => void {
  // Older web views do not say when that is.
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(act, 500);
    return () => clearTimeout(timer);
  }
  const waiting = requestIdleCallback(act, { timeout: 2000 });
  return () => cancelIdleCallback(waiting);
}
