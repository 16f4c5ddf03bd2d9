// Colouring of Frame-QL in the editor: words, no grammar. What is right and wrong is the program's to say.
import { StreamLanguage, type StreamParser } from '@codemirror/language';
import { tags } from '@lezer/highlight';

const keywords = new Set(
  (
    'explain with select at from where during compare to having top fill totals order by limit options as on and or not in is null ' +
    'between like contains starts asc desc per offset filter ignoring filters true false any all no distinct other zero last none ' +
    'including current this previous time same period'
  ).split(' '),
);
const named = new Set(
  'today yesterday ytd qtd mtd wtd hour day week month quarter year fiscal_quarter fiscal_year'.split(' '),
);

interface State {
  /** Within a comment of several lines. */
  comment: boolean;
}

export const frameParser: StreamParser<State> = {
  name: 'frame-ql',
  startState: () => ({ comment: false }),
  token(stream, state) {
    if (state.comment) {
      state.comment = !stream.match(/^.*?\*\//);
      if (state.comment) stream.skipToEnd();
      return 'comment';
    }
    if (stream.eatSpace()) return null;
    if (stream.match('--')) {
      stream.skipToEnd();
      return 'comment';
    }
    if (stream.match('/*')) {
      state.comment = true;
      return 'comment';
    }
    if (stream.match(/^'(?:[^']|'')*'?/)) return 'string';
    if (stream.match(/^"(?:[^"]|"")*"?/)) return 'name';
    if (stream.match(/^\d+(?:-(?:Q?\d+|W\d+))*(?:\.\d+)?/)) return 'number';
    const word = stream.match(/^[\p{L}_][\p{L}\p{N}_]*/u);
    if (Array.isArray(word)) {
      const text = word[0].toLowerCase();
      if (keywords.has(text)) return 'keyword';
      if (named.has(text)) return 'unit';
      return /^\s*\(/.test(stream.string.slice(stream.pos)) ? 'call' : 'name';
    }
    stream.next();
    return 'operator';
  },
  tokenTable: {
    comment: tags.comment,
    string: tags.string,
    number: tags.number,
    keyword: tags.keyword,
    unit: tags.atom,
    call: tags.function(tags.variableName),
    name: tags.variableName,
    operator: tags.operator,
  },
  languageData: { commentTokens: { line: '--', block: { open: '/*', close: '*/' } } },
};

export const frameQL = () => StreamLanguage.define(frameParser);

/** YAML as the context files have it: keys, words in quotes, comments. */
export const yamlParser: StreamParser<Record<string, never>> = {
  name: 'yaml',
  startState: () => ({}),
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return 'comment';
    if (stream.match(/^---\s*$/)) return 'keyword';
    if (stream.match(/^'(?:[^']|'')*'?/) || stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string';
    if (stream.match(/^[A-Za-z_][\w-]*(?=\s*:(?:\s|$))/)) return 'key';
    if (stream.match(/^-?\d+(?:\.\d+)?(?=[\s,\]}]|$)/)) return 'number';
    if (stream.match(/^(?:true|false|null)(?=[\s,\]}]|$)/)) return 'keyword';
    if (stream.match(/^[^\s,:[\]{}'"#]+/)) return 'name';
    stream.next();
    return 'operator';
  },
  tokenTable: {
    comment: tags.comment,
    string: tags.string,
    number: tags.number,
    keyword: tags.keyword,
    key: tags.propertyName,
    name: tags.variableName,
    operator: tags.operator,
  },
  languageData: { commentTokens: { line: '#' } },
};

export const yaml = () => StreamLanguage.define(yamlParser);
