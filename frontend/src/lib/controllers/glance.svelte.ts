import type { QuestionMark } from '../api/types';

/** What says what is understood of a question; it may be stopped when the question has changed meanwhile. */
export type Glance = (question: string, signal: AbortSignal) => Promise<QuestionMark[]>;

/** How long typing must rest before the question is read, in milliseconds. */
const rest = 90;
const longest = 2000;

/** What is understood of the question that is being written. Marks belong to one text: while another one is there, none are shown but those before the change. */
export class GlanceController {
  marks = $state.raw<QuestionMark[]>([]);
  private text = '';
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running: AbortController | undefined;

  constructor(private readonly glance: Glance) {}

  /** Reads a question once typing rests. What stands before the first letter that changed stays marked meanwhile. */
  look(question: string): void {
    if (question === this.text) return;
    this.stop();
    const same = common(this.text, question);
    this.marks = this.marks.filter((mark) => mark.end < same || (mark.end === same && question.length <= same));
    this.text = question;
    if (question.trim() === '' || question.length > longest) {
      this.marks = [];
      return;
    }
    this.timer = setTimeout(() => void this.fetch(question), rest);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.running?.abort();
  }

  // Marks are a help: without them one goes on typing.
  private async fetch(question: string): Promise<void> {
    const running = new AbortController();
    this.running = running;
    try {
      const marks = await this.glance(question, running.signal);
      if (!running.signal.aborted) this.marks = marks;
    } catch {
      if (!running.signal.aborted) this.marks = [];
    }
  }
}

function common(a: string, b: string): number {
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same++;
  return same;
}
