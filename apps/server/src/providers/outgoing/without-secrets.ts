import { holdsMailAddress } from '#mail-address-in-text.ts';

/** Hides a token (RFC 7519) and the rest of its run. */
function withoutToken(run: string): string {
  const start = run.indexOf('eyJ');
  const isToken = start >= 0 && run.indexOf('.', start + 4) >= 0;
  return isToken ? `${run.slice(0, start)}(token)` : run;
}

/** A provider's own words, fit for a log: no token, no email address, nothing that could be an account number. */
export function withoutSecrets(text: string): string {
  const clean = text
    .replace(/[\w.-]+/g, withoutToken)
    .replace(/[^\s<>"(),;:]+/g, (word) => (holdsMailAddress(word) ? '(address)' : word))
    .replace(/(?<![\w-])\d(?:[ -]?\d){4,}(?![\w-])/g, '(number)');
  return clean.replace(/\s+/g, ' ').trim().slice(0, 300);
}
