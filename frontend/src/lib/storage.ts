/** Reads a remembered setting; null where the system keeps nothing for this page. */
export function recall(key: string): string | null {
  try {
    return localStorage.getItem(`assay.${key}`);
  } catch {
    return null;
  }
}

/** Remembers a setting as long as the system lets us. */
export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(`assay.${key}`, value);
  } catch {
    // A page that may store nothing works all the same.
  }
}
