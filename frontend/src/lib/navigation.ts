// The page never leaves itself: a link that found its way in leads nowhere, a form sends nothing, a dropped file does not replace the page.

/** Blocks every way in which a document could navigate by what is in it. Returns the way to stop. */
export function blockNavigation(document: Document): () => void {
  const click = (event: Event) => {
    const target = event.target instanceof Element ? event.target.closest('a[href], area[href], svg a') : null;
    const href = target?.getAttribute('href') ?? target?.getAttribute('xlink:href');
    if (target && !href?.startsWith('#') && !target.hasAttribute('download')) event.preventDefault();
  };
  const stop = (event: Event) => event.preventDefault();
  const drag = (event: Event) => {
    if ((event as DragEvent).dataTransfer?.types.some((type) => type === 'Files' || type.startsWith('text/'))) {
      if (!(event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement))
        event.preventDefault();
    }
  };
  const ways: [string, (event: Event) => void][] = [
    ['click', click],
    ['auxclick', click],
    ['submit', stop],
    ['dragover', drag],
    ['drop', drag],
  ];
  for (const [name, way] of ways) document.addEventListener(name, way, { capture: true });
  return () => {
    for (const [name, way] of ways) document.removeEventListener(name, way, { capture: true });
  };
}
