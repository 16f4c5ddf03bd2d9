/**
 * Holds the keys that are pressed while what they are meant for is on its way: none of them writes or acts elsewhere. Esc gives up.
 * Returns the way to let go, which gives what was typed.
 */
export function holdKeys(onescape: () => void, target: Window = window): () => string {
  let typed = '';
  const hold = (event: KeyboardEvent) => {
    if (['Control', 'Meta', 'Alt', 'AltGraph', 'Shift'].includes(event.key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const written = event.getModifierState('AltGraph') || !(event.ctrlKey || event.metaKey || event.altKey);
    if (event.key === 'Escape') onescape();
    else if (event.key === 'Backspace') typed = [...typed].slice(0, -1).join('');
    else if ([...event.key].length === 1 && written) typed += event.key;
  };
  target.addEventListener('keydown', hold, true);
  return () => {
    target.removeEventListener('keydown', hold, true);
    return typed;
  };
}

/** Writes into the field that has the keyboard, as if it were typed there; elsewhere it is nothing. */
export function typeInto(field: Element | null, text: string): void {
  if (!text || !(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  field.setRangeText(text, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }));
}
