import type { Completion } from '../api/types';

/** What gives completions; it may be stopped when the question has changed meanwhile. */
export type Complete = (question: string, signal: AbortSignal) => Promise<Completion[]>;

/** How long typing must rest before completions are asked for, in milliseconds. */
const rest = 60;
const longest = 2000;

/** The completions of the question that is being written: which ones there are, and which one is chosen. */
export class CompletionController {
  /** None while the list is closed. */
  items = $state<Completion[]>([]);
  /** The chosen one; -1 while none is, so that Enter still asks what was typed. */
  chosen = $state(-1);
  readonly open = $derived(this.items.length > 0);

  private timer: ReturnType<typeof setTimeout> | undefined;
  private running: AbortController | undefined;

  constructor(private readonly complete: Complete) {}

  /** Looks for completions of a question, once typing rests. Only the end of it is completed. */
  look(question: string, atEnd: boolean): void {
    this.stop();
    if (!atEnd || question.trim() === '' || question.length > longest) {
      this.close();
      return;
    }
    this.timer = setTimeout(() => void this.fetch(question), rest);
  }

  /** Moves the choice, past either end to none and around. */
  move(by: 1 | -1): void {
    const places = this.items.length + 1;
    this.chosen = ((this.chosen + 1 + by + places) % places) - 1;
  }

  /** Gives the question with a completion, the chosen one or the first, and closes the list. */
  accept(index = Math.max(this.chosen, 0)): string | null {
    const item = this.items[index];
    this.close();
    if (!item) return null;
    return item.kind === 'question' ? item.text : `${item.text} `;
  }

  close(): void {
    this.stop();
    this.items = [];
    this.chosen = -1;
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.running?.abort();
  }

  // Completions are a help: without them one goes on typing.
  private async fetch(question: string): Promise<void> {
    const running = new AbortController();
    this.running = running;
    try {
      const items = await this.complete(question, running.signal);
      if (running.signal.aborted) return;
      this.items = items;
      this.chosen = -1;
    } catch {
      if (!running.signal.aborted) this.close();
    }
  }
}
