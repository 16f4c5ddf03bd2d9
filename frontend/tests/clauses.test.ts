import { describe, expect, it } from 'vitest';
import { clausesOf, splitTop } from '$lib/clauses';

describe('clausesOf', () => {
  it('cuts at keywords outside quotes and parentheses', () => {
    const clauses = clausesOf(
      "SELECT revenue AT (category, order_date.month) WHERE ship_city = 'AT WHERE' AND (AVG(x) AT ()) > 2 DURING 1997 TOP 5 category BY revenue LIMIT 10",
    );
    expect(Object.fromEntries(clauses)).toEqual({
      SELECT: 'revenue',
      AT: '(category, order_date.month)',
      WHERE: "ship_city = 'AT WHERE' AND (AVG(x) AT ()) > 2",
      DURING: '1997',
      TOP: '5 category BY revenue',
      LIMIT: '10',
    });
  });

  it('keeps the range of DURING and the WITH of TOP in one clause', () => {
    const clauses = clausesOf(
      'SELECT revenue AT product DURING FROM 1997-03-01 TO 1998-01-01 TOP 3 product BY revenue WITH OTHER',
    );
    expect(clauses.get('DURING')).toBe('FROM 1997-03-01 TO 1998-01-01');
    expect(clauses.get('TOP')).toBe('3 product BY revenue WITH OTHER');
    expect(clauses.has('WITH')).toBe(false);
  });

  it('keeps the periods of COMPARE TO in one clause', () => {
    const clauses = clausesOf(
      'SELECT revenue DURING 1997 COMPARE TO PREVIOUS PERIOD, DURING FROM 1995-01-01 TO 1996-01-01 TOTALS BY category FILL ZERO',
    );
    expect(Object.fromEntries(clauses)).toEqual({
      SELECT: 'revenue',
      DURING: '1997',
      COMPARE: 'TO PREVIOUS PERIOD, DURING FROM 1995-01-01 TO 1996-01-01',
      TOTALS: 'BY category',
      FILL: 'ZERO',
    });
  });

  it('leaves IN TOP inside its condition', () => {
    expect(clausesOf('SELECT revenue WHERE product IN TOP 3 BY revenue').get('WHERE')).toBe(
      'product IN TOP 3 BY revenue',
    );
  });

  it('does not take a lower-case name for a keyword', () => {
    expect(clausesOf('SELECT top, revenue AT top').get('AT')).toBe('top');
  });
});

describe('splitTop', () => {
  it('splits conditions at AND, not inside BETWEEN or parentheses', () => {
    expect(splitTop("a = 1 AND b BETWEEN 2 AND 3 AND (c = 'x AND y' AND d)", 'AND')).toEqual([
      'a = 1',
      'b BETWEEN 2 AND 3',
      "(c = 'x AND y' AND d)",
    ]);
  });

  it('splits lists at commas', () => {
    expect(splitTop("a, COUNT(b, c), 'd, e'", ',')).toEqual(['a', 'COUNT(b, c)', "'d, e'"]);
    expect(splitTop('', ',')).toEqual([]);
  });
});
