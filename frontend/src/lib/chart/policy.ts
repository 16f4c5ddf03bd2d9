// What a specification may hold. lib/chart/spec.ts writes it from a typed intent (kind, axes, series), as the core does for other
// readers; this is the second lock: whatever else stands in one, in a session of somebody else or by a fault, is not drawn.

// Every property that they write. Data, addresses, signals, parameters, images and conditions are not among them.
const allowed = new Set(
  (
    'mark encoding transform height hconcat title type field sort axis format formatType legend tooltip x y color text fontSize ' +
    'point window op as order filter lte gt fold layer datum strokeDash calculate joinaggregate groupby detail ' +
    // of the page
    'xOffset yOffset theta size opacity stack bin maxbins aggregate scale zero nice domain range line filled tooltip values timeUnit ' +
    'year month date hours minutes tickCount labelLimit labelOverlap labelAngle labelColor labelFontSize labelFontWeight orient direction columns symbolLimit symbolSize rowPadding gradientLength ' +
    'innerRadius outerRadius radius stroke strokeWidth strokeOpacity independent binSpacing align dx dy limit font facet header spec resolve width'
  ).split(' '),
);

const marks = new Set(['line', 'bar', 'point', 'area', 'rect', 'text', 'rule', 'tick', 'arc', 'boxplot']);

// A moment in parts.
const moments = new Set(['year', 'month', 'date', 'hours', 'minutes']);

// What the page adds to the whole: its records, its theme, how it fits. They come from no intent.
const own = new Set(['datasets', 'config', 'autosize', 'background']);

// The two expressions that the core writes: total rows are dropped, and the rest of a TOP gets its name.
const text = String.raw`"(?:[^"\\]|\\.)*"`;
const expressions = [
  /^!datum\.is_total$/,
  new RegExp(`^datum\\.is_other && datum\\[${text}\\] === null \\? ${text} : datum\\[${text}\\]$`),
];

/**
 * Gives what a specification has and may not have, as paths; none: it may be drawn. Of one that the page has made itself, the
 * records and the theme are its own.
 */
export function forbiddenInChart(spec: unknown, ofPage = false): string[] {
  const found: string[] = [];
  const walk = (value: unknown, path: string, depth: number) => {
    if (depth > 12) return void found.push(`${path}: too deep`);
    if (Array.isArray(value)) return value.forEach((item, index) => walk(item, `${path}[${index}]`, depth + 1));
    if (value === null || typeof value !== 'object') return;
    for (const [key, inner] of Object.entries(value)) {
      const at = path === '' ? key : `${path}.${key}`;
      if (path === '' && (key === '$schema' || (ofPage && own.has(key)))) continue;
      if (path === '' && key === 'data') {
        if (JSON.stringify(inner) !== '{"name":"frame"}') found.push(at);
        continue;
      }
      if (!allowed.has(key) || !fits(key, inner, path)) found.push(at);
      else walk(inner, at, depth + 1);
    }
  };
  if (spec === null || typeof spec !== 'object' || Array.isArray(spec)) return ['no specification'];
  walk(spec, '', 0);
  return found;
}

function fits(key: string, value: unknown, path: string): boolean {
  switch (key) {
    case 'mark':
      return typeof value === 'string' ? marks.has(value) : isRecord(value) && marks.has(String(value.type));
    case 'type':
    case 'field':
      return typeof value === 'string';
    case 'values':
      return (
        Array.isArray(value) &&
        value.every(
          (one) =>
            isRecord(one) && Object.entries(one).every(([key, part]) => moments.has(key) && typeof part === 'number'),
        )
      );
    case 'aggregate':
      return value === 'count';
    case 'resolve':
      return JSON.stringify(value) === '{}' || JSON.stringify(value) === '{"scale":{"theta":"independent"}}';
    case 'formatType':
      return value === 'number' || value === 'time';
    case 'datum':
      return !isRecord(value);
    case 'calculate':
      return typeof value === 'string' && expressions.some((known) => known.test(value));
    case 'filter':
      return typeof value === 'string' ? expressions.some((known) => known.test(value)) : isRecord(value);
    case 'text':
      return path.endsWith('encoding') && isRecord(value);
    default:
      return true;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
