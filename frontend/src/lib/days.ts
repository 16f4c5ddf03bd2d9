/** Things of one day, under the name of the day. */
export interface Day<Item> {
  key: string;
  label: string;
  items: Item[];
}

/** Groups things by the local day of a date, newest day first. The words for today and yesterday are handed in. */
export function byDay<Item>(
  items: Item[],
  dateOf: (item: Item) => string,
  now: Date,
  words: { today: string; yesterday: string },
  locale: string,
): Day<Item>[] {
  const sorted = [...items].sort((a, b) => dateOf(b).localeCompare(dateOf(a)));
  const days: Day<Item>[] = [];
  for (const item of sorted) {
    const date = new Date(dateOf(item));
    const key = dayKey(date);
    let day = days.find((known) => known.key === key);
    if (!day) {
      day = { key, label: dayLabel(date, now, words, locale), items: [] };
      days.push(day);
    }
    day.items.push(item);
  }
  return days;
}

const dayKey = (date: Date): string => `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`;

function dayLabel(date: Date, now: Date, words: { today: string; yesterday: string }, locale: string): string {
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (dayKey(date) === dayKey(now)) return words.today;
  if (dayKey(date) === dayKey(yesterday)) return words.yesterday;
  const sameYear = date.getFullYear() === now.getFullYear();
  return new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: sameYear ? undefined : 'numeric',
  }).format(date);
}
