import { configure } from '@testing-library/svelte';
import { vi } from 'vitest';

configure({ asyncUtilTimeout: 30_000 });

// jsdom knows neither of these; the components only ask them for sizes and preferences.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
globalThis.matchMedia ??= vi.fn(() => ({
  matches: false,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
})) as unknown as typeof matchMedia;
Element.prototype.scrollTo ??= () => undefined;
Element.prototype.scrollIntoView ??= () => undefined;
