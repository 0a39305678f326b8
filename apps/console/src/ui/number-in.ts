/** Reads a whole number of digits; returns NaN for anything else, such as 1e2, so that the server asks for one. */
export const numberOf = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text) : Number.NaN);

/** Returns the number in a field. */
export const numberIn = (form: FormData, field: string): number => numberOf(String(form.get(field) ?? ''));
