// The lines in which two texts differ, with a few around them. Pure.

export interface Line {
  kind: 'same' | 'added' | 'removed' | 'gap';
  text: string;
}

const around = 3;
// Beyond this many lines in the part that differs, all of it is shown as taken out and put in.
const mostCompared = 2000;

/** The difference of two texts by lines; nothing when they are the same. */
export function linesOf(before: string, after: string): Line[] {
  if (before === after) return [];
  const a = before === '' ? [] : before.replace(/\n$/, '').split('\n');
  const b = after === '' ? [] : after.replace(/\n$/, '').split('\n');
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const same = (lines: string[]): Line[] => lines.map((text) => ({ kind: 'same', text }));
  const middle = compared(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  return folded([...same(a.slice(0, head)), ...middle, ...same(a.slice(a.length - tail))]);
}

// The longest common lines of both, and what is between them.
function compared(a: string[], b: string[]): Line[] {
  const whole = (): Line[] => [
    ...a.map((text): Line => ({ kind: 'removed', text })),
    ...b.map((text): Line => ({ kind: 'added', text })),
  ];
  if (a.length > mostCompared || b.length > mostCompared) return whole();
  const width = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * width);
  const at = (i: number, k: number) => longest[i * width + k] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let k = b.length - 1; k >= 0; k--)
      longest[i * width + k] = a[i] === b[k] ? at(i + 1, k + 1) + 1 : Math.max(at(i + 1, k), at(i, k + 1));
  const out: Line[] = [];
  let i = 0;
  let k = 0;
  while (i < a.length || k < b.length) {
    if (i < a.length && k < b.length && a[i] === b[k]) {
      out.push({ kind: 'same', text: a[i] ?? '' });
      i++;
      k++;
    } else if (k >= b.length || (i < a.length && at(i + 1, k) >= at(i, k + 1)))
      out.push({ kind: 'removed', text: a[i++] ?? '' });
    else out.push({ kind: 'added', text: b[k++] ?? '' });
  }
  return out;
}

function folded(lines: Line[]): Line[] {
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== 'same'),
  );
  return lines.flatMap((line, index): Line[] => {
    if (near[index]) return [line];
    return index > 0 && near[index - 1] === false ? [] : [{ kind: 'gap', text: '…' }];
  });
}
