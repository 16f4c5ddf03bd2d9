// Handing something to the person as a file. Nothing leaves the machine.

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

/** Gives bytes of the page to the person, as a download. */
export function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  download(address, name);
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
