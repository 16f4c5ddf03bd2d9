// Addresses that stand in texts. None is followed by itself: a person is asked, by the name of the host.
import { say } from './text';

/** An address that may be opened when a person says so. */
export interface ExternalAddress {
  url: string;
  host: string;
}

/** Gives an address that may be opened outside: https, a plain name as host, nobody in front of it; null for any other. */
export function externalAddress(raw: string): ExternalAddress | null {
  if (!/^https:\/\/[\x21-\x5b\x5d-\x7e]+$/i.test(raw)) return null;
  let url: URL;
  try {
    url = new URL(raw);
  } catch {
    return null;
  }
  const authority = raw.slice('https://'.length).split(/[/?#]/)[0]?.toLowerCase().replace(/:\d*$/, '');
  const named =
    /^(?=.*[a-z])[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(url.hostname) && !/(^|\.)(0x[0-9a-f]*|\d+)$/.test(url.hostname);
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '' || !named || authority !== url.hostname)
    return null;
  return { url: url.href, host: url.hostname };
}

/** Opens an address of externalAddress, in a page that cannot reach back. The person was asked before. */
export function openOutside(address: ExternalAddress): void {
  // eslint-disable-next-line no-restricted-properties -- the one place
  window.open(address.url, '_blank', 'noopener,noreferrer');
}

/**
 * Opens a page that the program made in a tab of its own and has it printed. Resolves with why it could not be; empty: it was. No script
 * of it runs there: it stands under the policy of this page.
 */
export async function openToPrint(address: string): Promise<string> {
  const response = await fetch(address);
  if (!response.ok) return say('window.print.gone');
  const page = URL.createObjectURL(new Blob([await response.arrayBuffer()], { type: 'text/html;charset=utf-8' }));
  // eslint-disable-next-line no-restricted-properties -- what it opens was made here
  const tab = window.open(page, '_blank');
  setTimeout(() => URL.revokeObjectURL(page), 60_000);
  if (!tab) return say('window.print.blocked');
  tab.opener = null;
  tab.addEventListener('load', () => tab.print());
  return '';
}
