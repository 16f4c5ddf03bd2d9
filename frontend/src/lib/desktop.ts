// What the desktop shell offers beside HTTP: native drops and dialogs, menus, notices. In a browser none of it is there.
import type { ImportFailed, Upload } from './api/types';

/** Files that the shell took in, and those that it did not take. */
export interface Offered {
  files: Upload[];
  /** Session files: they are looked at before they are taken in. */
  sessions: Upload[];
  /** Bundles of what colleagues taught: likewise. */
  bundles: Upload[];
  refused: ImportFailed[];
  /** They are to be looked at before they are imported. */
  look: boolean;
}

/** How the window is drawn. */
export interface Standing {
  /** Without the graphics card. */
  safe: boolean;
  /** Because the start before ended before anything was drawn. */
  crashed: boolean;
}

/** What the shell can be told to say outside the window. */
export type NoticeWord =
  'question' | 'question_failed' | 'question_asks' | 'import' | 'import_failed' | 'export' | 'export_failed';

interface Shell {
  runtime?: {
    EventsOn(event: string, heard: (value: unknown) => void): (() => void) | void;
    Quit?(): void;
    ClipboardGetText?(): Promise<string>;
    ClipboardSetText?(text: string): Promise<boolean>;
  };
  go?: {
    main?: {
      Window?: {
        PickFiles?(): Promise<unknown>;
        OpenExternal?(id: string): Promise<unknown>;
        SaveExport?(id: string): Promise<unknown>;
        SaveImage?(token: string): Promise<unknown>;
        Ready?(): Promise<unknown>;
        TryGraphics?(): Promise<unknown>;
        AllowNotices?(): Promise<unknown>;
        Notify?(what: string, id: string): Promise<unknown>;
      };
    };
  };
}

const shell = (): Shell => (typeof window === 'undefined' ? {} : (window as unknown as Shell));
const bound = () => shell().go?.main?.Window;
const none = () => undefined;

/** Says whether the page runs in the desktop window, which hands over dropped files itself. */
export const inDesktop = (): boolean => shell().runtime !== undefined;

function on(event: string, heard: (value: unknown) => void): () => void {
  return shell().runtime?.EventsOn(event, heard) ?? none;
}

/** Hears of files that the shell took in: by a drop, its dialog, or because the program was started with them. Returns the way to stop. */
export const onFiles = (heard: (offered: Offered) => void): (() => void) =>
  on('files', (value) => {
    const { files, sessions, bundles, refused, look } = (value ?? {}) as Partial<Offered>;
    heard({
      files: files ?? [],
      sessions: sessions ?? [],
      bundles: bundles ?? [],
      refused: refused ?? [],
      look: look === true,
    });
  });

/** Hears of commands that were chosen in the menu bar. */
export const onCommand = (heard: (id: string) => void): (() => void) =>
  on('command', (value) => heard(typeof value === 'string' ? value : ''));

/** What a link of the installed program leads to: a session, and an answer in it or nothing. */
export interface Link {
  session: string;
  answer: string;
}

/** Hears of links that the program was asked to open. */
export const onLink = (heard: (link: Link) => void): (() => void) =>
  on('link', (value) => {
    const { session = '', answer = '' } = (value ?? {}) as Partial<Link>;
    if (session) heard({ session, answer });
  });

/** Hears of notices that a person followed, by the id that they were given. */
export const onNotified = (heard: (id: string) => void): (() => void) =>
  on('notified', (value) => heard(typeof value === 'string' ? value : ''));

/** Says that the page is drawn; gives how the window is drawn. Null when there is no shell. */
export async function ready(): Promise<Standing | null> {
  const told = (await bound()?.Ready?.()) as Partial<Standing> | undefined;
  return told ? { safe: told.safe === true, crashed: told.crashed === true } : null;
}

/** Lets the next start use the graphics card; resolves with why not, or with nothing. */
export async function tryGraphics(): Promise<string> {
  const refused = await bound()?.TryGraphics?.();
  return typeof refused === 'string' ? refused : '';
}

/** Asks the system to let the shell say that work has ended; null when there is no shell. */
export const allowNotices = (): Promise<boolean> | null =>
  bound()
    ?.AllowNotices?.()
    .then((yes) => yes === true) ?? null;

/** Has the shell say that work has ended; false when there is no shell. */
export function notify(what: NoticeWord, id: string): boolean {
  const tell = bound();
  if (!tell?.Notify) return false;
  void tell.Notify(what, id);
  return true;
}

/** Closes the window, as its own button does. */
export const closeWindow = (): void => shell().runtime?.Quit?.();

/** Opens the native file dialog; false when there is none and the page must use its own. */
export function pickFiles(): boolean {
  const pick = bound();
  if (!pick?.PickFiles) return false;
  void pick.PickFiles();
  return true;
}

/** Has the shell open the address of an id, which asks the person itself; false when there is no shell. */
export function openExternal(id: string): boolean {
  const shellWindow = bound();
  if (!shellWindow?.OpenExternal) return false;
  void shellWindow.OpenExternal(id);
  return true;
}

const refusal = (refused: unknown): string => (typeof refused === 'string' ? refused : '');

/** Has the shell ask where a file is kept and put it there: resolves with why not, or with nothing. Null when there is no shell. */
export const saveExport = (id: string): Promise<string> | null => bound()?.SaveExport?.(id).then(refusal) ?? null;

/** The same for a picture that was sent as an upload of that token. */
export const saveImage = (token: string): Promise<string> | null => bound()?.SaveImage?.(token).then(refusal) ?? null;

/** Does in the field that has the focus what a menu entry `edit.*` says. Scripts may not paste, so the shell's clipboard is read. */
export async function edit(id: string): Promise<void> {
  const verb = id.slice('edit.'.length);
  const clipboard = shell().runtime;
  if (verb === 'paste') {
    document.execCommand('insertText', false, (await clipboard?.ClipboardGetText?.()) ?? '');
  } else if (verb === 'copy' || verb === 'cut') {
    const chosen = selectedText();
    if (chosen !== '') await clipboard?.ClipboardSetText?.(chosen);
    if (chosen !== '' && verb === 'cut') document.execCommand('delete');
  } else document.execCommand(verb);
}

function selectedText(): string {
  const at = document.activeElement;
  if (at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement)
    return at.value.slice(at.selectionStart ?? 0, at.selectionEnd ?? 0);
  return getSelection()?.toString() ?? '';
}
