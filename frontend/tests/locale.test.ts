import { afterEach, expect, test, vi } from 'vitest';
import { personLocale } from '$lib/locale';

afterEach(() => vi.restoreAllMocks());

test.each([
  ['de-AT', 'de-AT'],
  ['C', 'en-US'],
  ['POSIX@x', 'en-US'],
  ['', 'en-US'],
])('%s is used as %s', (given, used) => {
  vi.spyOn(navigator, 'language', 'get').mockReturnValue(given);
  expect(personLocale()).toBe(used);
});
