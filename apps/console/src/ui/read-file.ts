/** Reads a chosen file as base64. */
export async function contentOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Stands for the content of a chosen file, which is read when it is sent. */
export const someContent = (fileName: string): string => (fileName ? 'AA==' : '');

/** Returns the file that was chosen in a form's field, with its content; both are empty where none was. */
export async function fileIn(form: FormData, field: string): Promise<{ fileName: string; content: string }> {
  const file = form.get(field);
  if (!(file instanceof File)) return { fileName: '', content: '' };
  return { fileName: file.name.slice(0, 200), content: await contentOf(file) };
}
