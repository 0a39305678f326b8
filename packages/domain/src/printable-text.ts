/** Returns a text without the characters that are not seen and change how the rest of a line reads: bidi controls, joiners. */
export const withoutFormatControls = (text: string): string => text.replace(/\p{Cf}+/gu, '');

/** Returns one line that hides nothing: strangers type the names. */
export const printableLine = (text: string): string => withoutFormatControls(text).replace(/\p{Cc}+/gu, ' ');
