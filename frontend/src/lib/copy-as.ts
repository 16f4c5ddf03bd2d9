// The ways to copy what is selected in a grid, from anywhere in the window.

const seen = (element: Element): element is HTMLElement => element instanceof HTMLElement && element.checkVisibility();

/** The menu of ways to copy of the grid that the keyboard is on, or of the first one; null: there is none. */
export function copyAsButton(): HTMLElement | null {
  const marks = [...document.querySelectorAll('[data-grid]')].filter(seen);
  const here = marks.find((grid) => grid.contains(document.activeElement));
  return (here ?? marks[0])?.querySelector<HTMLElement>('[data-copy-as] button') ?? null;
}

/** Opens that menu, with the keyboard in it. */
export function openCopyAs(): void {
  const button = copyAsButton();
  if (!button) return;
  button.scrollIntoView({ block: 'nearest' });
  button.focus();
  button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
}
