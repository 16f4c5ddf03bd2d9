import type { ReadingChange, ReadingForm } from '../api/types';
import { changeOf, fieldOf, firstTooLong, slotsOf, takenBy } from '../condition';
import { say } from '../text';
import type { Problem } from '../turn';

/** A condition while it is written. What was written is kept until it is asked or given up. */
export class ConditionController {
  form = $state.raw<ReadingForm | null>(null);
  operator = $state('');
  /** As many as have been written for any operator; of these the operator takes the first. */
  private written = $state.raw<string[]>([]);
  /** The field that has the keyboard, or had it last. */
  field = $state(0);
  /** Why it could not be asked as it was written. */
  problem = $state.raw<Problem | null>(null);
  readonly takes = $derived(takenBy(this.form, this.operator));
  /** What stands in the fields of the operator. */
  readonly values = $derived(slotsOf(this.takes, this.written));
  /** The field that the problem is about; -1: none of them. */
  readonly faulty = $derived(fieldOf(this.problem, this.values.length));

  /** Begins with what the query has, unless it has begun: what is typed stays. */
  take(form: ReadingForm): void {
    if (this.form) return;
    this.form = form;
    this.operator = form.operator;
    this.written = form.values;
    this.field = 0;
  }

  forget(): void {
    this.form = null;
    this.problem = null;
  }

  choose(operator: string): void {
    this.operator = operator;
    this.problem = null;
    this.field = 0;
  }

  write(field: number, value: string): void {
    const values = [...this.values];
    values[field] = value;
    this.written = [...values, ...this.written.slice(values.length)];
    this.problem = null;
  }

  /** One more value of a list. */
  more(): void {
    this.written = [...this.values, ''];
    this.field = this.values.length - 1;
  }

  less(field: number): void {
    this.written = this.values.filter((_, index) => index !== field);
    this.field = Math.max(0, Math.min(field, this.values.length - 1));
    this.problem = null;
  }

  /** Says that a field holds what cannot be. */
  fail(field: number, message: string): void {
    this.problem = { code: 'invalid', message, hint: '', field: `values.${field}` };
    this.field = field;
  }

  /** What is far too long is not even sent. */
  check(): boolean {
    const longest = this.form?.longest ?? 0;
    const field = firstTooLong(this.values, longest);
    if (field >= 0) this.fail(field, say('window.condition.too_long', { most: longest }));
    return field < 0;
  }

  change(): ReadingChange {
    return changeOf(this.form, this.operator, this.values);
  }
}
