/** Canonical text with each clause on a line of its own, as people read it. */
export function clauses(canonical: string): string {
  let depth = 0;
  let quote = '';
  let out = '';
  for (let at = 0; at < canonical.length; at++) {
    const sign = canonical.charAt(at);
    if (quote !== '') {
      if (sign === quote) quote = '';
    } else if (sign === "'" || sign === '"') quote = sign;
    else if (sign === '(') depth++;
    else if (sign === ')') depth--;
    else if (sign === ' ' && depth === 0) {
      const opens = /^ (AT|FROM|WHERE|DURING|COMPARE TO|HAVING|TOP|FILL|TOTALS|ORDER BY|LIMIT|OPTIONS)(?= |$)/.exec(
        canonical.slice(at),
      );
      // DURING FROM ... is one clause, IN TOP a condition.
      if (opens && !/(DURING|TO|IN|BETWEEN)$/.test(out)) {
        out += '\n';
        continue;
      }
    }
    out += sign;
  }
  return out;
}
