const weights = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];

/**
 * Returns whether a text is an ABN: eleven digits, in groups or not, the first of them 1 to 9, whose weighted sum, with one
 * off the first digit, divides by 89 (Australian Business Register, "Format of the ABN").
 */
export function isAbn(text: string): boolean {
  if (!/^[1-9]\d ?\d{3} ?\d{3} ?\d{3}$/.test(text)) return false;
  const digits = [...text.replaceAll(' ', '')].map(Number);
  const sum = digits.reduce((sum, digit, at) => sum + (at === 0 ? digit - 1 : digit) * (weights[at] ?? 0), 0);
  return sum % 89 === 0;
}
