// What a file is, by its name or by what is in it. Whether it can be taken in is for the program to say.
const looked = 64 << 10;
const bare = /^\s*\{[^{}[\]]*"format"\s*:\s*"assay-session"/;
const bundle = /^\s*\{[^{}[\]]*"assay_memory"\s*:/;

/** A session, what a colleague taught, or data. */
export type Kind = 'session' | 'bundle' | 'data';

/** Says what a file is, whatever it is called. It reads the end of a zip, where its names stand, or the beginning of a text. */
export async function kindOf(file: File): Promise<Kind> {
  if (/\.assay$/i.test(file.name)) return 'session';
  if (/\.assay-memory$/i.test(file.name)) return 'bundle';
  try {
    const head = (await textOf(file.slice(0, looked))).replace(/^\u00ef\u00bb\u00bf/, '');
    if (!head.startsWith('PK\u0003\u0004')) return bare.test(head) ? 'session' : bundle.test(head) ? 'bundle' : 'data';
    const names = await textOf(file.slice(Math.max(0, file.size - looked)));
    return ['manifest.json', 'session.json'].every((name) => names.includes(name)) ? 'session' : 'data';
  } catch {
    return 'data'; // it cannot be read, which the import will say
  }
}

const textOf = (part: Blob) =>
  new Promise<string>((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result));
    reader.onerror = () => failed(reader.error ?? new Error('unreadable'));
    reader.readAsText(part, 'latin1'); // bytes as they stand
  });
