import { vi } from 'vitest';

/** Waits until a look at something no longer throws. It waits long: a slow machine fails no test. */
export const eventually = <T>(look: () => T | Promise<T>): Promise<T> => vi.waitFor(look, { timeout: 30_000 });
