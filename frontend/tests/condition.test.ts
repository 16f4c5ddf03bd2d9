import { describe, expect, it } from 'vitest';
import { Fault } from '$lib/api/fault';
import { faultOf } from '$lib/api/transport';
import type { ReadingChange, ReadingForm, ReadingMenu } from '$lib/api/types';
import { changeOf, fieldOf, firstTooLong, slotsOf, takenBy } from '$lib/condition';
import { PartController } from '$lib/controllers/part.svelte';
import type { Problem } from '$lib/turn';

const form = (part: Partial<ReadingForm> = {}): ReadingForm => ({
  slot: 'filter',
  dimension: 'orders.freight_charge',
  on: 'Freight charge',
  kind: 'number',
  operators: [
    { name: 'ge', label: 'is at least', takes: 'one' },
    { name: 'between', label: 'is between', takes: 'two' },
    { name: 'in', label: 'is one of', takes: 'many' },
    { name: 'is_null', label: 'is empty', takes: 'none' },
  ],
  operator: 'ge',
  values: ['5'],
  longest: 10,
  ...part,
});

describe('a condition', () => {
  it('has as many fields as its operator takes', () => {
    expect(slotsOf(takenBy(form(), 'between'), ['5'])).toEqual(['5', '']);
    expect(slotsOf(takenBy(form(), 'is_null'), ['5'])).toEqual([]);
    expect(slotsOf(takenBy(form(), 'in'), [])).toEqual(['']);
    expect(slotsOf(takenBy(form(), 'in'), ['1', '2', '3'])).toHaveLength(3);
    expect(takenBy(form(), 'nothing')).toBe('none');
    expect(takenBy(form({ against: 'orders.required_date' }), 'ge')).toBe('none');
  });

  it('becomes a change that says what it is on, and nothing that is not there', () => {
    expect(changeOf(form(), 'between', ['1', '2'])).toEqual({
      slot: 'filter',
      dimension: 'orders.freight_charge',
      operator: 'between',
      values: ['1', '2'],
    });
    const leg = form({ part: 'a = 1 OR b = 2', leaf: 2, dimension: '' });
    expect(changeOf(leg, 'is_null', [])).toEqual({
      slot: 'filter',
      part: 'a = 1 OR b = 2',
      leaf: 2,
      operator: 'is_null',
    });
  });

  it('knows the field that a problem is about', () => {
    const problem = (field?: string): Problem => ({ code: 'invalid', message: 'x', hint: '', field });
    expect(fieldOf(problem('values.1'), 2)).toBe(1);
    expect(fieldOf(problem('values.2'), 2)).toBe(-1);
    expect(fieldOf(problem('values'), 2)).toBe(-1);
    expect(fieldOf(problem(), 2)).toBe(-1);
    expect(fieldOf(null, 2)).toBe(-1);
    expect(faultOf({ code: 'invalid', message: 'x', field: 'values.0' }, 400).field).toBe('values.0');
    expect(faultOf({ code: 'invalid', message: 'x' }, 400).field).toBe('');
  });

  it('counts characters as a person does', () => {
    expect(firstTooLong(['12345678901'], 10)).toBe(0);
    expect(firstTooLong(['a', '😀'.repeat(10)], 10)).toBe(-1);
    expect(firstTooLong(['a', '😀'.repeat(11)], 10)).toBe(1);
  });
});

describe('a menu that is a form', () => {
  const opened = async (menu: ReadingMenu, answer: (change: ReadingChange) => Problem | null = () => null) => {
    const changes: ReadingChange[] = [];
    const looked: (string | undefined)[] = [];
    const part = new PartController(
      async (asked) => {
        looked.push(asked.find);
        if (asked.find === 'lost') throw new Fault('unavailable', 'gone');
        return menu;
      },
      async (change) => {
        changes.push(change);
        return answer(change);
      },
    );
    part.show({ slot: 'filter', dimension: 'orders.freight_charge' });
    await expect.poll(() => part.menu).not.toBeNull();
    return { part, changes, looked };
  };
  const menu = (one: ReadingForm = form()): ReadingMenu => ({ title: 'Freight', groups: [], form: one });

  it('keeps saying why it is refused when suggestions come late, until more is written', async () => {
    const refused: Problem = { code: 'invalid', message: 'no such value', hint: '', field: '' };
    const { part, looked } = await opened(menu(), () => refused);
    part.look('Astronaut');
    part.condition.write(0, 'Astronaut');
    await part.apply();
    await expect.poll(() => looked).toEqual([undefined, 'Astronaut']);
    await new Promise((done) => setTimeout(done));
    expect(part.problem).toEqual(refused);
    part.look('Astronauts');
    expect(part.problem).toBeNull();
  });

  it('keeps what was written when it is refused, and says at which field', async () => {
    const refused: Problem = { code: 'invalid', message: 'no number', hint: '', field: 'values.1' };
    const { part, changes } = await opened(menu(), () => refused);
    part.condition.choose('between');
    part.condition.write(1, '12x');
    await part.apply();
    expect(changes).toEqual([
      { slot: 'filter', dimension: 'orders.freight_charge', operator: 'between', values: ['5', '12x'] },
    ]);
    expect(part.open).toBe(true);
    expect(part.condition.values).toEqual(['5', '12x']);
    expect(part.condition.faulty).toBe(1);
    part.condition.write(1, '12');
    expect(part.condition.faulty).toBe(-1);
  });

  it('does not send what is far too long', async () => {
    const { part, changes } = await opened(menu());
    part.condition.write(0, 'x'.repeat(1 << 20));
    await part.apply();
    expect(changes).toEqual([]);
    expect(part.condition.faulty).toBe(0);
    expect(part.condition.values[0]).toHaveLength(1 << 20);
  });

  it('keeps what another operator has no field for', async () => {
    const { part } = await opened(menu(form({ operator: 'between', values: ['1', '2'] })));
    part.condition.choose('is_null');
    expect(part.condition.values).toEqual([]);
    part.condition.choose('ge');
    part.condition.write(0, '7');
    part.condition.choose('between');
    expect(part.condition.values).toEqual(['7', '2']);
  });

  it('takes further values and leaves them out', async () => {
    const { part } = await opened(menu(form({ operator: 'in', values: ['1', '2'] })));
    part.condition.more();
    expect([part.condition.values, part.condition.field]).toEqual([['1', '2', ''], 2]);
    part.condition.less(0);
    expect(part.condition.values).toEqual(['2', '']);
  });

  it('writes a suggestion into the field, looks for 200 characters at most, and stays when looking fails', async () => {
    const suggesting: ReadingMenu = {
      ...menu(form({ kind: 'text', values: [] })),
      groups: [{ label: 'Values', options: [{ label: 'Germany', value: 'Germany' }] }],
    };
    const { part, looked, changes } = await opened(suggesting);
    expect(part.at).toBe(-1);
    part.move(1);
    await part.accept(false);
    expect([part.condition.values, changes]).toEqual([['Germany'], []]);
    part.look('y'.repeat(5000));
    await expect.poll(() => looked.at(-1)?.length).toBe(200);
    part.look('lost');
    await expect.poll(() => part.problem?.message).toBe('gone');
    expect(part.menu?.form).toBeDefined();
    expect(part.condition.values).toEqual(['Germany']);
  });
});
