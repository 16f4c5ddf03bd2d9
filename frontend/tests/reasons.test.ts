import { describe, expect, it } from 'vitest';
import { reasonsOf } from '$lib/reasons';

describe('reasonsOf', () => {
  it('finds why a cell is empty', () => {
    const known = reasonsOf({
      reasons: [
        { column: 'change_pct', code: 'zero_base', rows: [0, 3] },
        { column: 'change_pct', code: 'no_base', rows: [1] },
      ],
    });
    expect(known.get('3:change_pct')).toBe('window.cell.zero_base');
    expect(known.get('1:change_pct')).toBe('window.cell.no_base');
    expect(known.has('2:change_pct')).toBe(false);
  });

  it('knows nothing of a frame from before there were reasons', () => {
    expect(reasonsOf({} as never).size).toBe(0);
  });
});
