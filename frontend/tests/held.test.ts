import { describe, expect, it } from 'vitest';
import { holdKeys, typeInto } from '$lib/held';

const press = (field: Element, key: string, more: KeyboardEventInit = {}) =>
  field.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));

describe('keys that are held', () => {
  it('reach nothing else, and are given when they are let go', () => {
    const field = document.body.appendChild(document.createElement('input'));
    let reached = 0;
    let given = 0;
    field.addEventListener('keydown', () => reached++);
    const release = holdKeys(() => given++);
    for (const key of ['J', 'u', 'x', 'Backspace', 's', 't', ' ', 'ż', 'Enter', 'ArrowDown', 'Shift'])
      press(field, key, { shiftKey: key === 'J' });
    press(field, 'a', { ctrlKey: true });
    expect([release(), reached, given]).toEqual(['Just ż', 1, 0]); // Shift alone is nobody's
    expect(press(field, 'x')).toBe(true);
    expect(reached).toBe(2);
    field.remove();
  });

  it('are given up by Esc', () => {
    let given = 0;
    const release = holdKeys(() => given++);
    press(document.body, 'Escape');
    release();
    expect(given).toBe(1);
  });

  it('are typed into the field that has the keyboard, and nowhere else', () => {
    const field = document.body.appendChild(document.createElement('input'));
    field.value = 'one';
    field.setSelectionRange(0, 0);
    let heard = '';
    field.addEventListener('input', () => (heard = field.value));
    typeInto(field, 'Just ');
    typeInto(document.body, 'nothing');
    typeInto(null, 'nothing');
    expect([field.value, heard]).toEqual(['Just one', 'Just one']);
    field.remove();
  });
});
