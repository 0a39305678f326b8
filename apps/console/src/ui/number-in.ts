/** Returns the number in a field; where it is empty NaN, so that the server asks for one at that field. */
export function numberIn(form: FormData, field: string): number {
  const text = form.get(field);
  return typeof text === 'string' && text.trim() !== '' ? Number(text) : Number.NaN;
}
