// The core counts bytes of UTF-8, the page counts UTF-16 units. These two functions are the only place that knows both.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Cuts text into the pieces between byte offsets, which must be ascending. */
export function cutAtBytes(text: string, offsets: number[]): string[] {
  const bytes = encoder.encode(text);
  const pieces: string[] = [];
  let from = 0;
  for (const to of [...offsets, bytes.length]) {
    pieces.push(decoder.decode(bytes.subarray(from, to)));
    from = to;
  }
  return pieces;
}

/** The length of text in bytes. */
export const byteLength = (text: string): number => encoder.encode(text).length;
