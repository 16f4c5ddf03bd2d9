// Saying outside the page that long work has ended: by the shell, or by the browser when the person has allowed it.
import { allowNotices, inDesktop, notify, type NoticeWord } from './desktop';
import { say, type Key } from './text';

const words: Record<NoticeWord, Key> = {
  question: 'window.notify.question',
  question_failed: 'window.notify.question_failed',
  question_asks: 'window.notify.question_asks',
  import: 'window.notify.import',
  import_failed: 'window.notify.import_failed',
  export: 'window.notify.export',
  export_failed: 'window.notify.export_failed',
};

const known = () => typeof Notification !== 'undefined';

/** Whether a notice would be shown: the shell's always, the browser's when the person has allowed it. */
export const mayTell = (): boolean => inDesktop() || (known() && Notification.permission === 'granted');

/** The browser was told to show none; only the person can change that. */
export const forbidden = (): boolean => !inDesktop() && (!known() || Notification.permission === 'denied');

/** Asks the person, once, whether notices may be shown. It is only called from the settings. */
export async function askToTell(): Promise<boolean> {
  const asked = allowNotices();
  if (asked) return asked;
  return known() && (await Notification.requestPermission()) === 'granted';
}

/** Says that work has ended. `follow` is called when the person follows the notice of the browser; the shell has an event for that. */
export function tell(what: NoticeWord, id: string, follow: (id: string) => void): void {
  if (notify(what, id) || !mayTell()) return;
  const notice = new Notification(say('window.title'), { body: say(words[what]), tag: id || what });
  notice.onclick = () => {
    window.focus();
    notice.close();
    follow(id);
  };
}
