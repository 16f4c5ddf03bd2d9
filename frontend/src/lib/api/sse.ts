/** One event of a stream: its name and its data, still as text. */
export interface StreamEvent {
  event: string;
  data: string;
}

/**
 * Reads server-sent events from a response body, those that came together as one: what they change is then drawn once. EventSource
 * cannot read them: it knows neither POST nor headers.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent[]> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let pending = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      pending += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const blocks = pending.split(/\r?\n\r?\n/);
      pending = done ? '' : (blocks.pop() ?? '');
      const events = blocks.map(parseEvent).filter((event) => event !== null);
      if (events.length > 0) yield events;
      if (done) return;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** Parses one block of a stream; null for a comment or an empty block. */
export function parseEvent(block: string): StreamEvent | null {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon === 0 || line === '') continue;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
  }
  return data.length === 0 ? null : { event, data: data.join('\n') };
}
