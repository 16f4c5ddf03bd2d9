// The clauses of canonical Frame-QL text, for showing how a question was read. This is no parser: it cuts at the
// keywords that stand outside quotes and parentheses, which canonical text allows.

export type Clause =
  | 'SELECT'
  | 'AT'
  | 'FROM'
  | 'WHERE'
  | 'DURING'
  | 'COMPARE'
  | 'HAVING'
  | 'TOP'
  | 'FILL'
  | 'TOTALS'
  | 'ORDER'
  | 'LIMIT'
  | 'OPTIONS'
  | 'WITH';

const openers = new Set<string>([
  'SELECT', 'AT', 'FROM', 'WHERE', 'DURING', 'COMPARE', 'HAVING', 'TOP', 'FILL', 'TOTALS', 'ORDER', 'LIMIT', 'OPTIONS', 'WITH',
]); // prettier-ignore

interface Token {
  text: string;
  start: number;
  depth: number;
}

function tokens(text: string): Token[] {
  const found: Token[] = [];
  let depth = 0;
  for (const match of text.matchAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|[A-Za-z_][\w]*|[()]|,|[^\s(),'"A-Za-z_]+/g)) {
    if (match[0] === ')') depth--;
    found.push({ text: match[0], start: match.index, depth });
    if (match[0] === '(') depth++;
  }
  return found;
}

// A comparand stands behind TO or a comma.
const comparandStarts = (before: Token | undefined): boolean => before?.text === 'TO' || before?.text === ',';

/** Cuts canonical Frame-QL into its clauses, without their keywords. */
export function clausesOf(frameQL: string): Map<Clause, string> {
  const clauses = new Map<Clause, string>();
  let open: { name: Clause; from: number } | null = null;
  const all = tokens(frameQL);
  for (const [index, token] of all.entries()) {
    const word = token.text.toUpperCase();
    if (token.depth !== 0 || token.text !== word || !openers.has(word)) continue;
    // Inside DURING, FROM begins a range of dates; in COMPARE TO, DURING is a comparand; inside TOP, WITH begins "WITH OTHER"; inside TOTALS there is a BY.
    if (word === 'FROM' && (open?.name === 'DURING' || open?.name === 'COMPARE')) continue;
    if (word === 'DURING' && open?.name === 'COMPARE' && comparandStarts(all[index - 1])) continue;
    if (word === 'WITH' && open !== null) continue;
    if (word === 'TOP' && all[index - 1]?.text.toUpperCase() === 'IN') continue;
    if (open) clauses.set(open.name, frameQL.slice(open.from, token.start).trim());
    open = { name: word as Clause, from: token.start + token.text.length };
  }
  if (open) clauses.set(open.name, frameQL.slice(open.from).trim().replace(/;$/, ''));
  return clauses;
}

/** Splits text at a separator (a comma, or the word AND) that stands outside quotes and parentheses. */
export function splitTop(text: string, separator: ',' | 'AND'): string[] {
  const parts: string[] = [];
  let from = 0;
  let between = false;
  for (const token of tokens(text)) {
    const word = token.text.toUpperCase();
    if (token.depth === 0 && word === 'BETWEEN') between = true;
    if (token.depth !== 0 || word !== separator) continue;
    if (between && separator === 'AND') {
      between = false;
      continue;
    }
    parts.push(text.slice(from, token.start).trim());
    from = token.start + token.text.length;
  }
  parts.push(text.slice(from).trim());
  return parts.filter((part) => part !== '');
}
