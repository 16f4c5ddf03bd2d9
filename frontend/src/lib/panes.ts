// The parts of the window that F6 goes through.

const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]:not([tabindex="-1"])';

const seen = (element: Element): element is HTMLElement =>
  element instanceof HTMLElement && element.checkVisibility() && !element.closest('[aria-hidden="true"]');

/** Puts the focus into the next part of the window that can be seen, or the one before. */
export function goToPane(back: boolean): void {
  const panes = [...document.querySelectorAll('[data-pane]')].filter(seen);
  if (panes.length === 0) return;
  const here = panes.findIndex((pane) => pane.contains(document.activeElement));
  const step = back ? -1 : 1;
  const start = here < 0 && back ? 0 : here;
  const pane = panes[(start + step + panes.length) % panes.length];
  if (!pane) return;
  const first = [...pane.querySelectorAll('[data-first]'), ...pane.querySelectorAll(focusable)].find(seen);
  first?.focus();
}
