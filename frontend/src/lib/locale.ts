/** The locale for numbers and dates: the person's own, as the system says it. */
export function personLocale(): string {
  return typeof navigator === 'undefined' ? 'en-US' : navigator.language || 'en-US';
}
