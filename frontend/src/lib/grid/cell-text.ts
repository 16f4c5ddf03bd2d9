// A longer text is not looked into.
const most = 2_000_000;

/** JSON with a line for each of its parts; any other text as it is. Numbers keep their digits: only white space is added. */
export function pretty(text: string): string {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed) || trimmed.length > most) return text;
  try {
    JSON.parse(trimmed);
  } catch {
    return text;
  }
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  return trimmed
    .replace(/"(?:[^"\\]|\\.)*"|[[\]{},:]|\s+|[^\s[\]{},:"]+/g, (token) => {
      if (/^\s/.test(token)) return '';
      if (token === '{' || token === '[') {
        depth++;
        return token + line();
      }
      if (token === '}' || token === ']') {
        depth--;
        return line() + token;
      }
      if (token === ',') return token + line();
      return token === ':' ? ': ' : token;
    })
    .replace(/([[{])\s+([\]}])/g, '$1$2');
}
