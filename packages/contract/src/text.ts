import { z } from 'zod';

/** Letters of scripts that are written with joiners, marks, and pictures that a joiner makes one. */
const joinable = String.raw`(?:(?![\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}])\p{L}|(?!\p{DI})\p{M}|[\p{ExtPict}\p{EMod}])`;
const joiner = String.raw`[\u200c\u200d]`;
const variation = String.raw`(?=\p{M})\p{DI}`;
/** No character of it begins another alternative below together with what follows it, so that a line is read once. */
const joined = String.raw`${joinable}(?:${joiner}|${variation}${joiner}?)|[\p{sc=Hani}\d#*]${variation}|\u{1f3f4}[\u{e0020}-\u{e007f}]+`;

/**
 * Excludes control characters (NUL, line ends too), lone surrogates, and characters that turn or hide text: bidi controls,
 * spaces of no width, soft hyphens, fillers, the empty Braille pattern. Joiners of Persian and Indian names and of emoji,
 * variants of characters, and the tags of a flag stay.
 */
const plain = new RegExp(String.raw`^(?:${joined}|[^\p{Cc}\p{Cs}\p{DI}\u2800\ufff9-\ufffb])*$`, 'u');

/** Excludes text of marks alone, which shows nothing; spaces are what `trim` is for. */
const seen = /^\s*$|[\p{L}\p{N}\p{P}\p{S}]/u;

export const tooLong = (max: number): string => `Please use at most ${max} characters`;

/**
 * One line of text of at most `max` characters that can be seen, and that PostgreSQL, an email and a bank file can
 * hold. Every text a caller may send is made of it (docs/decisions/programs-and-webhooks.md#input).
 */
export const text = (max: number) =>
  z
    .string()
    .max(max, tooLong(max))
    .regex(plain, 'Please use plain characters only')
    .regex(seen, 'Please use characters that can be seen');
