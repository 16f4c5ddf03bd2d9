import { Fault } from './fault';
import type { ReadingApi } from './reading';
import type { EditedReading, QuestionMark, ReadingAsked, ReadingChange, ReadingMenu } from './types';

/** Readings for tests: menus and marks that the test puts in, and what was asked. */
export class FakeReading implements ReadingApi {
  menu: ReadingMenu = { title: '', groups: [] };
  edited: EditedReading | Fault = new Fault('internal', 'no edit was prepared');
  marks: QuestionMark[] = [];
  failure: Fault | null = null;
  wanted: [string, ReadingAsked][] = [];
  changes: [string, ReadingChange][] = [];
  chosen: string[] = [];
  /** The keeping of a choice waits for it. */
  slow: Promise<void> = Promise.resolve();
  glanced: [string, string | null][] = [];

  async alternatives(requestId: string, asked: ReadingAsked): Promise<ReadingMenu> {
    this.wanted.push([requestId, asked]);
    if (this.failure) throw this.failure;
    return this.menu;
  }

  async edit(requestId: string, change: ReadingChange): Promise<EditedReading> {
    this.changes.push([requestId, change]);
    if (this.edited instanceof Fault) throw this.edited;
    return this.edited;
  }

  async choose(requestId: string): Promise<void> {
    await this.slow;
    if (this.failure) throw this.failure;
    this.chosen.push(requestId);
  }

  async glance(question: string, sessionId: string | null): Promise<QuestionMark[]> {
    this.glanced.push([question, sessionId]);
    if (this.failure) throw this.failure;
    return this.marks;
  }
}
