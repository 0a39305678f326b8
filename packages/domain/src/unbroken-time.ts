/** Keeps "am" on the line of its hour, in words that hold a time. */
export const withUnbrokenTime = (words: string): string => words.replace(/(\d)\s([ap]m)\b/, '$1\u00a0$2');
