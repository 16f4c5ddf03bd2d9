import { say } from './text';

/** Where menus and tooltips stand: above the page, in a part of the window that has a name. */
export function floating(): HTMLElement {
  const known = document.getElementById('floating');
  if (known) return known;
  const made = document.createElement('div');
  made.id = 'floating';
  made.setAttribute('role', 'region');
  made.setAttribute('aria-label', say('window.floating'));
  document.body.append(made);
  return made;
}
