/** Reads a number; of an empty text NaN, so that the server asks for one. */
export const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

/** Returns the number in a field. */
export const numberIn = (form: FormData, field: string): number => numberOf(String(form.get(field) ?? ''));
