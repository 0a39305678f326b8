const inBase64 = (buffer: ArrayBuffer): string =>
  btoa(Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join(''));

/** Reads a chosen file as base64. */
export const contentOf = async (file: File): Promise<string> => inBase64(await file.arrayBuffer());

/** Stands for the content of a chosen file, which is read when it is sent. */
export const someContent = (fileName: string): string => (fileName ? 'AA==' : '');

/** Returns the file that was chosen in a form's field, with its content; both are empty where none was. */
export async function fileIn(form: FormData, field: string): Promise<{ fileName: string; content: string }> {
  const file = form.get(field);
  if (!(file instanceof File)) return { fileName: '', content: '' };
  return { fileName: file.name.slice(0, 200), content: await contentOf(file) };
}

/** Returns a file with its content packed. */
export async function packedFile(file: File) {
  const packed = new Response(await file.arrayBuffer()).body?.pipeThrough(new CompressionStream('gzip'));
  const content = inBase64(await new Response(packed).arrayBuffer());
  return { fileName: file.name.slice(0, 200), content, packing: 'gzip' as const };
}
