/** Something that a person did to the things of the window, and how it is taken back and done again. */
export interface Deed {
  /** The thing that it was done to, by its id: when that is no more, there is nothing to take back. */
  about?: string;
  /** What was done, as it stands after "Undo": "delete session “Orders”". */
  what: string;
  /** Resolves with false, or rejects, where it did not work. */
  undo: () => unknown;
  redo: () => unknown;
}

/** What came of the last undo or redo. */
export interface Undone {
  what: string;
  how: 'undone' | 'redone' | 'failed';
}

const most = 100;

/** What can be taken back, and done again, step by step. What was typed is the affair of its field. */
export class Undoing {
  private done = $state.raw<readonly Deed[]>([]);
  private undone = $state.raw<readonly Deed[]>([]);
  /** What is taken back next; null: nothing. */
  readonly last = $derived(this.done.at(-1) ?? null);
  /** What is done again next; null: nothing. */
  readonly next = $derived(this.undone.at(-1) ?? null);
  /** What the person is told; a new object each time. */
  told = $state.raw<Undone | null>(null);
  private working: Promise<unknown> = Promise.resolve();

  /** Something was done. What was taken back before cannot be done again. */
  did(deed: Deed): void {
    this.done = [...this.done.slice(1 - most), deed];
    this.undone = [];
    this.told = null;
  }

  /** Takes back what was done last. False: there was nothing, or it did not work. */
  undo(): Promise<boolean> {
    return this.inTurn(async () => {
      const deed = this.last;
      if (!deed) return false;
      this.done = this.done.slice(0, -1);
      const worked = await works(deed.undo);
      if (worked) this.undone = [...this.undone, deed];
      this.told = { what: deed.what, how: worked ? 'undone' : 'failed' };
      return worked;
    });
  }

  /** Does again what was taken back last. False: there was nothing, or it did not work. */
  redo(): Promise<boolean> {
    return this.inTurn(async () => {
      const deed = this.next;
      if (!deed) return false;
      this.undone = this.undone.slice(0, -1);
      const worked = await works(deed.redo);
      if (worked) this.done = [...this.done, deed];
      this.told = { what: deed.what, how: worked ? 'redone' : 'failed' };
      return worked;
    });
  }

  /** A thing is no more: what was done to it cannot be taken back, nor done again. */
  forget(about: string): void {
    const others = (deed: Deed) => deed.about !== about;
    this.done = this.done.filter(others);
    this.undone = this.undone.filter(others);
  }

  /** Forgets everything. */
  clear(): void {
    this.done = [];
    this.undone = [];
    this.told = null;
  }

  // One after the other, however fast the keys are pressed.
  private inTurn(work: () => Promise<boolean>): Promise<boolean> {
    const next = this.working.then(work);
    this.working = next.catch(() => false);
    return next;
  }
}

async function works(act: () => unknown): Promise<boolean> {
  try {
    return (await act()) !== false;
  } catch {
    return false;
  }
}

/** Of this page. Its things say here what was done to them. */
export const undoing = new Undoing();
