// A picture of a chart for elsewhere: a file, or the clipboard. Nothing leaves the machine.

/** A name for a file, from the title of an answer. */
export function fileName(title: string, ending: string): string {
  const plain = title.normalize('NFC').replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, ''); // prettier-ignore
  return `${plain.slice(0, 60).replace(/-+$/, '') || 'chart'}.${ending}`;
}

/** Gives a file to the person, as a download of the page. */
export function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.download = name;
  link.href = address;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Puts a picture on the clipboard; false when the system does not let us. */
export async function copyPicture(picture: Promise<Blob>): Promise<boolean> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })]);
    return true;
  } catch {
    return false;
  }
}
