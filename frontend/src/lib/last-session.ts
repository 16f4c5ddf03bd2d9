// Which session was open when the program ended: the first window after its next start shows it again.
import { programRun, recall, remember } from './storage';

/** The session in view has changed; null: a new one. */
export function noteSession(id: string | null): void {
  if (programRun() !== '') remember('session', JSON.stringify({ id, run: programRun() }));
}

/** The session that was open when the program ended; null: none, or a window has shown it since. */
export function lastSession(): string | null {
  try {
    const { id, run } = JSON.parse(recall('session') ?? '{}') as { id?: unknown; run?: unknown };
    return typeof id === 'string' && programRun() !== '' && run !== programRun() ? id : null;
  } catch {
    return null;
  }
}
