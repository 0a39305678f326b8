/** Returns a number with its noun, as in "1 club" and "3 clubs"; a plural that does not end in s is given. */
export const counted = (count: number, one: string, more = `${one}s`): string => `${count} ${count === 1 ? one : more}`;
