/** Removes the spaces and dashes with which people and banks write numbers. */
export const digitsAsWritten = (written: string): string => written.replace(/[\s\p{Pd}]/gu, '');

/** Returns an Australian mobile number in its national form: "+61 412 345 678" becomes "0412345678". */
export const mobileAsWritten = (written: string): string =>
  digitsAsWritten(written)
    .replace(/[().]/g, '')
    .replace(/^(?:\+|00)610?/, '0');
