import { say, type Key } from '$lib/text';

export interface Grade {
  letters: string;
  label: string;
  strike: 'open' | 'double' | 'solid' | 'faint' | 'bad';
}

const grades: Record<string, { letters: string; key: Key; strike: Grade['strike'] }> = {
  A: { letters: 'A', key: 'window.grade.a', strike: 'open' },
  AA: { letters: 'AA', key: 'window.grade.aa', strike: 'double' },
  AAA: { letters: 'AAA', key: 'window.grade.aaa', strike: 'solid' },
  contradicted: { letters: '≠', key: 'window.grade.contradicted', strike: 'bad' },
};

/** How a grade is struck. An unknown one counts as none. */
export function gradeOf(level: string): Grade {
  const { letters, key, strike } = grades[level] ?? { letters: '–', key: 'window.grade.none', strike: 'faint' };
  return { letters, label: say(key), strike };
}
