import { z } from 'zod';

/** Excludes control characters (NUL, line ends too) and lone surrogates. */
const plain = /^[^\p{Cc}\p{Cs}]*$/u;

export const tooLong = (max: number): string => `Please use at most ${max} characters`;

/**
 * One line of text of at most `max` characters that PostgreSQL, a mail and a bank file can hold.
 * Every text a caller may send is made of it (docs/decisions/0009).
 */
export const text = (max: number) => z.string().max(max, tooLong(max)).regex(plain, 'Please use plain characters only');
