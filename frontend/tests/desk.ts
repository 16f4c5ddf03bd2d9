import { vi } from 'vitest';
import type { Desk } from '$components/artifacts/desk';
import { FakeBackend } from '$lib/api/fake';
import { ChartsController } from '$lib/controllers/charts.svelte';
import { ExportsController } from '$lib/controllers/exports.svelte';

/** A desk on which nothing happens but what a test looks at. */
export function desk(part: Partial<Desk> = {}): Desk {
  const backend = new FakeBackend();
  return {
    results: backend.results,
    charts: new ChartsController(backend.charts),
    exports: new ExportsController(backend.exports),
    lit: null,
    wanted: null,
    dark: false,
    locale: 'en-US',
    running: false,
    recompute: null,
    onrun: vi.fn(),
    onprovenance: vi.fn(),
    sentTexts: (requestId) => backend.sentTexts(requestId),
    onexport: vi.fn(),
    onpin: vi.fn(),
    oncopied: vi.fn(),
    linkTo: (requestId) => `assay://session/s/${requestId}`,
    onbranch: vi.fn(),
    onconfirm: vi.fn(async () => undefined),
    onobject: vi.fn(),
    ...part,
  };
}
