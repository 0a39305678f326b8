const patterns: [RegExp, string][] = [
  [/eyJ[\w-]+\.[\w-]+(\.[\w-]*)?/g, '(token)'],
  [/[^\s<>"(),;:]+@[^\s<>"(),;:]+/g, '(address)'],
  [/(?<![\w-])\d(?:[ -]?\d){4,}(?![\w-])/g, '(number)'],
];

/** A provider's own words, fit for a log: no token, no e-mail address, nothing that could be an account number. */
export function withoutSecrets(text: string): string {
  const clean = patterns.reduce((rest, [pattern, stand]) => rest.replace(pattern, stand), text);
  return clean.replace(/\s+/g, ' ').trim().slice(0, 300);
}
