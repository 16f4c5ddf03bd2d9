// Handing something to the person as a file. Nothing leaves the machine.
import { sendBytes } from './api/bytes';
import { asFault, Fault } from './api/fault';
import { inDesktop, saveImage } from './desktop';
import { say } from './text';

/** A name for a file, from the title of an answer. */
export function fileName(title: string, ending: string): string {
  const plain = title.normalize('NFC').replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, ''); // prettier-ignore
  return `${plain.slice(0, 60).replace(/-+$/, '') || 'chart'}.${ending}`;
}

/** Gives what stands at an address of the program to the person, as a download of the page. */
export function download(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}

/** Gives a picture to the person: by the dialog of the shell, whose view takes no downloads, or as one. Resolves with why not, or with nothing. */
export async function saveFile(blob: Blob, name: string): Promise<string> {
  if (inDesktop()) {
    try {
      const { token } = await sendBytes(await blob.arrayBuffer(), name);
      return (await saveImage(token)) ?? '';
    } catch (thrown) {
      const fault = asFault(thrown, new Fault('internal', say('window.save.failed')));
      return `${fault.message} ${fault.hint}`.trim();
    }
  }
  const address = URL.createObjectURL(blob);
  download(address, name);
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  return '';
}
