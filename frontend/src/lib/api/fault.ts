/** What the program could not do: a sentence for a person, the next step, and a code to branch on. */
export class Fault extends Error {
  readonly code: string;
  readonly hint: string;
  /** The part of the input that is meant: values.1; empty: no single one. */
  readonly field: string;

  constructor(code: string, message: string, hint = '', field = '') {
    super(message);
    this.name = 'Fault';
    this.code = code;
    this.hint = hint;
    this.field = field;
  }
}

/** Makes a Fault of whatever was thrown. */
export function asFault(thrown: unknown, fallback: Fault): Fault {
  if (thrown instanceof Fault) return thrown;
  if (thrown instanceof DOMException && thrown.name === 'AbortError') return new Fault('canceled', fallback.message);
  return fallback;
}
