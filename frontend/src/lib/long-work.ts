import type { NoticeWord } from './desktop';

/** From when on work is long enough to be told of when it ends, in milliseconds. */
export const longWork = 10_000;

/** How work ended, and the request whose turn shows it. */
export interface Ended {
  what: NoticeWord;
  id: string;
}

/** What telling concerns. */
export interface Told {
  now: () => number;
  /** Nobody looks at the page. */
  away: () => boolean;
  /** The person wants to be told. */
  wanted: () => boolean;
  tell: (ended: Ended) => void;
}

/** Watches work of one kind: when it took long and ends while nobody looks, it is told. */
export class LongWork {
  private since: number | null = null;

  constructor(private readonly told: Told) {}

  begin(): void {
    this.since ??= this.told.now();
  }

  /** The work is over; null: it was stopped, which is no news. */
  end(ended: Ended | null): void {
    const took = this.since === null ? 0 : this.told.now() - this.since;
    this.since = null;
    if (ended && took >= longWork && this.told.away() && this.told.wanted()) this.told.tell(ended);
  }
}
