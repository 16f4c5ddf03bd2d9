// Shortcuts as they are written in commands: "Mod+Shift+F", "Alt+1", "?". Mod is Ctrl, and Cmd on a Mac.

const mac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

interface Pressed {
  key: string;
  code?: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  target?: EventTarget | null;
}

/** Says whether what was pressed is a shortcut. "Alt+1…9" is any of these digits. */
export function pressed(event: Pressed, keys: string): boolean {
  const parts = keys.split('+').map((part) => part.toLowerCase());
  const last = parts.pop();
  const mod = mac ? event.metaKey : event.ctrlKey;
  const other = mac ? event.ctrlKey : event.metaKey;
  // A sign such as "?" needs Shift on many keyboards, and none on others: the sign alone counts.
  // With Alt some keyboards write another sign than the key has.
  const key =
    event.altKey && /^Digit\d$/.test(event.code ?? '') ? (event.code ?? '').slice(5) : event.key.toLowerCase();
  const sign = last?.length === 1 && !/[a-z0-9]/.test(last);
  return (
    (key === last || (last === '1…9' && /^[1-9]$/.test(key))) &&
    mod === parts.includes('mod') &&
    !other &&
    event.altKey === parts.includes('alt') &&
    (sign || event.shiftKey === parts.includes('shift'))
  );
}

/** Says whether a key would write into a field, so that a shortcut without Ctrl must leave it alone. */
export function writing(event: Pick<Pressed, 'target'>): boolean {
  const at = event.target;
  if (!(at instanceof HTMLElement)) return false;
  if (at instanceof HTMLInputElement && /^(radio|checkbox|button|submit|reset|file)$/.test(at.type)) return false;
  return at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName);
}

/** The keys of a shortcut as they stand on the keyboard, one by one. */
export function keycaps(keys: string): string[] {
  const names: Record<string, string> = mac ? { Mod: '⌘', Alt: '⌥', Shift: '⇧' } : { Mod: 'Ctrl' };
  return keys.split('+').map((part) => names[part] ?? part);
}
