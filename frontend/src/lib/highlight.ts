// Light colouring of SQL and Frame-QL: enough to read, no grammar.

export type Ink = 'keyword' | 'string' | 'number' | 'comment' | 'call' | 'plain';

export interface Coloured {
  ink: Ink;
  text: string;
}

const keywords = new Set(
  (
    'select distinct from where and or not in is null as on join left right inner outer full cross lateral group by order asc desc ' +
    'having limit offset with union all any exists case when then else end between like ilike date timestamp interval cast ' +
    'over partition rows range unbounded preceding following current row filter nulls first last true false using values ' +
    'qualify at during compare to top per other fill totals options previous same period zero none last this day week month ' +
    'quarter year fiscal_year fiscal_quarter ytd qtd mtd wtd today yesterday time no starts contains ignoring filters explain'
  ).split(' '),
);

const pattern =
  /(--[^\n]*|\/\*[\s\S]*?\*\/)|('(?:[^']|'')*')|("(?:[^"]|"")*")|(\b\d+(?:\.\d+)?\b)|([A-Za-z_]\w*)(?=(\s*\()?)|(\s+|[^\sA-Za-z_'"]+?(?=[\sA-Za-z_'"\d]|$)|[\s\S])/g;

/** Cuts a statement into coloured pieces; joined again they are the statement. */
export function colour(code: string): Coloured[] {
  const pieces: Coloured[] = [];
  const push = (ink: Ink, text: string) => {
    const last = pieces.at(-1);
    if (last && last.ink === ink) last.text += text;
    else pieces.push({ ink, text });
  };
  for (const match of code.matchAll(pattern)) {
    const [text, comment, string, quoted, number, word, call] = match;
    if (comment !== undefined) push('comment', text);
    else if (string !== undefined) push('string', text);
    else if (quoted !== undefined) push('plain', text);
    else if (number !== undefined) push('number', text);
    else if (word !== undefined) push(keywords.has(word.toLowerCase()) ? 'keyword' : call ? 'call' : 'plain', text);
    else push('plain', text);
  }
  return pieces;
}
