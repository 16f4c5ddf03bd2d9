import type { Backend } from '../api/backend';
import { openExternal } from '../desktop';
import type { ExternalAddress } from '../links';

/**
 * Opens an address from the desktop window: the core gives it an id, and the shell asks the person in a dialog of its own. A browser
 * has no shell; there the page asks, in Markdown.svelte.
 */
export async function openFromWindow(backend: Backend, address: ExternalAddress): Promise<void> {
  openExternal(await backend.link(address.url));
}
