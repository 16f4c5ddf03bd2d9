// What the desktop shell offers beside HTTP: native drops and the native file dialog. In a browser neither is there.
import type { Upload } from './api/types';

interface Shell {
  runtime?: { EventsOn(event: string, heard: (value: unknown) => void): (() => void) | void };
  go?: {
    main?: {
      Window?: {
        PickFiles?(): Promise<unknown>;
        OpenExternal?(id: string): Promise<unknown>;
        SaveExport?(id: string): Promise<unknown>;
      };
    };
  };
}

const shell = (): Shell => (typeof window === 'undefined' ? {} : (window as unknown as Shell));

/** Says whether the page runs in the desktop window, which hands over dropped files itself. */
export const inDesktop = (): boolean => shell().runtime !== undefined;

/** Hears of files that the shell took in by a drop or its dialog. Returns the way to stop hearing. */
export function onFiles(heard: (files: Upload[]) => void): () => void {
  const stop = shell().runtime?.EventsOn('files', (value) => heard(Array.isArray(value) ? (value as Upload[]) : []));
  return stop ?? (() => undefined);
}

/** Opens the native file dialog; false when there is none and the page must use its own. */
export function pickFiles(): boolean {
  const pick = shell().go?.main?.Window;
  if (!pick?.PickFiles) return false;
  void pick.PickFiles();
  return true;
}

/** Has the shell open the address of an id, which asks the person itself; false when there is no shell. */
export function openExternal(id: string): boolean {
  const shellWindow = shell().go?.main?.Window;
  if (!shellWindow?.OpenExternal) return false;
  void shellWindow.OpenExternal(id);
  return true;
}

/** Has the shell ask where a file is kept and put it there: resolves with why not, or with nothing. Null when there is no shell. */
export function saveExport(id: string): Promise<string> | null {
  const save = shell().go?.main?.Window?.SaveExport;
  return save ? save(id).then((refused) => (typeof refused === 'string' ? refused : '')) : null;
}
