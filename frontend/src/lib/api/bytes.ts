import { asFault } from './fault';
import { faultOf, parse, unreachable } from './transport';
import type { Upload } from './types';

/** Sends bytes that the page made. They are known by the token until they are used, and for as long as the program runs at most. */
export async function sendBytes(bytes: ArrayBuffer, name: string): Promise<Upload> {
  let response: Response;
  try {
    response = await fetch(`api/uploads?name=${encodeURIComponent(name)}`, {
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': 'application/octet-stream' },
      body: bytes,
    });
  } catch (thrown) {
    throw asFault(thrown, unreachable());
  }
  const body = parse(await response.text());
  if (!response.ok) throw faultOf(body, response.status);
  return body as Upload;
}
