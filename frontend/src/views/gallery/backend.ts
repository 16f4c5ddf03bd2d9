import { FakeBackend } from '$lib/api/fake';
import type { Backend } from '$lib/api/backend';
import type { Workspace } from '$lib/api/types';

/** A backend with an empty workspace. */
export function galleryBackend(): Backend {
  const backend = new FakeBackend();
  backend.workspaces = [
    {
      name: 'gallery',
      label: 'Gallery',
      model: { version: '', inferred: false, stale: false, problem: '' },
      sources: [],
      version: '',
      currency: '',
      questions: [],
    } as unknown as Workspace,
  ];
  return backend;
}
