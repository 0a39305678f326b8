/** Removes spaces and dashes from a number as written. */
export const withoutSeparators = (written: string): string => written.replace(/[\s\p{Pd}]/gu, '');

/** Turns an Australian mobile "+61 412 345 678" into "0412345678". */
export const domesticMobile = (written: string): string =>
  withoutSeparators(written)
    .replace(/[().]/g, '')
    .replace(/^(?:\+|00)610?/, '0');
