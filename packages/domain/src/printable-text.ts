/** Returns a text without the characters that are not seen and change how the rest of a line reads: bidi controls, joiners. */
export const withoutFormatControls = (text: string): string => text.replace(/\p{Cf}+/gu, '');

/** Returns a text as one line that shows what it holds: names are typed by strangers. */
export const printableLine = (text: string): string => withoutFormatControls(text).replace(/\p{Cc}+/gu, ' ');
