/**
 * Returns an email address as it is kept and compared: in lower case and in the composed form of its letters (NFC), as
 * RFC 6532 has them, so that one address has one account however a keyboard composes it.
 */
export const keptAddress = (written: string): string => written.trim().normalize('NFC').toLowerCase().normalize('NFC');
