import { randomInt } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A new user's id in Firebase's form: 28 letters and digits. */
export const makeUid = (): string => Array.from({ length: 28 }, () => alphabet[randomInt(alphabet.length)]).join('');
