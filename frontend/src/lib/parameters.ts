// Named parameters of a statement, :name or $name, which become fields. Pure: what is put in place is a literal of its kind, so that a
// value can never be more than a value; the gate judges the statement that comes out.

export type ParameterKind = 'text' | 'number' | 'date';

export interface Parameter {
  kind: ParameterKind;
  value: string;
}

// What no parameter stands in, or is: strings, quoted names, comments, dollar quotes and casts.
const pieces =
  /'(?:[^']|'')*'?|"(?:[^"]|"")*"?|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|(\$[A-Za-z_]*\$)[\s\S]*?\1|::|[:$]([A-Za-z_]\w*)/g;

/** The names of a statement's parameters, in the order in which they come first. */
export function parametersOf(statement: string): string[] {
  const names = [...statement.matchAll(pieces)].flatMap((match) => match[2] ?? []);
  return [...new Set(names)];
}

/** What a kind takes: a number as SQL writes it, a day. */
export function fits({ kind, value }: Parameter): boolean {
  if (kind === 'number') return /^-?\d+(\.\d+)?$/.test(value.trim());
  if (kind === 'date') return /^\d{4}-\d{2}-\d{2}$/.test(value.trim());
  return true;
}

function literal(parameter: Parameter): string {
  const value = parameter.value.trim();
  if (parameter.kind === 'number') return value;
  if (parameter.kind === 'date') return `DATE '${value}'`;
  return `'${parameter.value.replaceAll("'", "''")}'`;
}

/** The statement with literals in place of its parameters; `missing` are those without a value that fits, whose places stay. */
export function filled(statement: string, values: Record<string, Parameter>): { sql: string; missing: string[] } {
  const missing = new Set<string>();
  const sql = statement.replace(pieces, (whole: string, _quote: string | undefined, name: string | undefined) => {
    if (name === undefined) return whole;
    const parameter = values[name];
    if (!parameter || parameter.value.trim() === '' || !fits(parameter)) {
      missing.add(name);
      return whole;
    }
    return literal(parameter);
  });
  return { sql, missing: [...missing] };
}
