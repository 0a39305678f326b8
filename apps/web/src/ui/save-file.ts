/** Lets the browser save bytes as a downloaded file. */
export function saveFile(parts: BlobPart[], { name, type }: { name: string; type: string }): void {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // some browsers read it only when the person has chosen a place
}
