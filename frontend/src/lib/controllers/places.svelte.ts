import { inDesktop } from '../desktop';
import { hasGallery } from '../gallery';
import { noteSession } from '../last-session';

/** The views of the window. */
export type Place = 'workspace' | 'data' | 'query' | 'model' | 'review' | 'settings' | 'gallery';

const places: Place[] = ['data', 'query', 'model', 'review', 'settings', ...(hasGallery ? (['gallery'] as const) : [])];

/**
 * Which view is open, and what in it. The address holds both: `#model/orders` is the entity orders of the model, and
 * `#session/ID`, or nothing, the workspace; `#session/ID/REQUEST` an answer in it. Going back in the browser goes back here.
 */
export class Places {
  place = $state<Place>('workspace');
  /** What the view shows of it: a name; empty: all of it. */
  item = $state('');
  private session: string | null = null;
  /** The answer that the address led to; the address forgets it once the session is named. */
  private answer: string | null = null;

  constructor() {
    this.read();
  }

  /** Follows the address until it is stopped. `hear` gets the session that it names now, and the answer in it. */
  follow(hear: (session: string | null, answer: string | null) => void): () => void {
    const changed = () => {
      const before = this.session;
      this.read();
      if (this.place === 'workspace' && (this.session !== before || this.answer)) hear(this.session, this.answer);
    };
    addEventListener('popstate', changed);
    addEventListener('hashchange', changed);
    return () => {
      removeEventListener('popstate', changed);
      removeEventListener('hashchange', changed);
    };
  }

  /** Goes to a view. `instead`: without a step to go back to, as one goes through a list. */
  go(place: Place, item = '', instead = false): void {
    if (place === this.place && item === this.item) return;
    this.place = place;
    this.item = item;
    history[instead ? 'replaceState' : 'pushState'](null, '', this.address());
  }

  /** The session of the workspace that the address names. */
  get sessionId(): string | null {
    return this.session;
  }

  /** The answer that it names there. */
  get answerId(): string | null {
    return this.answer;
  }

  /** Whether the address leads to another session already, of which the page has not heard yet. */
  get leaving(): boolean {
    const { head, rest } = parts();
    return head === 'session' && named(rest)[0] !== (this.session ?? undefined);
  }

  /** The address of an answer: one that the installed program opens, or that of this page. */
  linkTo(session: string, request: string): string {
    const path = `session/${session}/${request}`;
    return inDesktop() ? `assay://${path}` : `${location.origin}${location.pathname}#${path}`;
  }

  /** Names a session in the address, without a step to go back to. */
  name(session: string | null): void {
    this.session = session;
    this.answer = null;
    setAside(session);
    noteSession(session);
    if (this.place === 'workspace') history.replaceState(null, '', this.address());
  }

  private address(): string {
    const bare = location.pathname + location.search;
    if (this.place === 'workspace') return this.session ? `${bare}#session/${this.session}` : bare;
    return `${bare}#${this.place}${this.item ? `/${encodeURIComponent(this.item)}` : ''}`;
  }

  private read(): void {
    const { head, rest } = parts();
    const place = places.find((known) => known === head);
    this.place = place ?? 'workspace';
    this.item = place ? decoded(rest) : '';
    this.answer = null;
    if (head === 'session') [this.session = null, this.answer = null] = named(rest);
    else if (!place) this.session = null;
    else [this.session = null] = this.session ? [this.session] : named(laidAside());
  }
}

/** The address after its page: what it leads to, and what there. */
function parts(): { head: string; rest: string } {
  const [, head = '', rest = ''] = /^#([\w-]+)(?:\/(.*))?$/.exec(location.hash) ?? [];
  return { head, rest };
}

/** The session and the answer that the rest of an address names; none of them where it is not well formed. */
const named = (rest: string): string[] => (/^[\w-]+(\/[\w-]+)?$/.test(rest) ? rest.split('/') : []);

// The address of another view does not name the session; the tab remembers it over a reload.
function setAside(session: string | null): void {
  try {
    sessionStorage.setItem('assay.session', session ?? '');
  } catch {
    // A page that may store nothing begins a new session after a reload.
  }
}

function laidAside(): string {
  try {
    return sessionStorage.getItem('assay.session') ?? '';
  } catch {
    return '';
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
