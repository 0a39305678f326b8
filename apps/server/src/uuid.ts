/** Matches the text of an id, as a part of a regular expression. */
export const uuidForm = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

const uuid = new RegExp(`^${uuidForm}$`, 'i');

/** Returns whether a text is an id, so that the database does not refuse a statement for an invalid one. */
export const isUuid = (text: string): boolean => uuid.test(text);
