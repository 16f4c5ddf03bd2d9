// The person's locale, as a tag that Intl accepts. A machine without one ("C", "POSIX") hands the page a tag that is none.
export function personLocale(): string {
  const wanted = typeof navigator === 'undefined' ? '' : navigator.language;
  try {
    return Intl.getCanonicalLocales(wanted)[0] ?? 'en-US';
  } catch {
    return 'en-US';
  }
}
