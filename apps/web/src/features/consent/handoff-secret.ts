/** The secrets of codes that this tab has asked for, kept while the browser is at the other host. */
const nameOf = (code: string): string => `handoff ${code}`;

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

/** Makes the secret for a code and returns its challenge, the only part of it that leaves this tab before the exchange. */
export async function makeChallenge(code: string): Promise<string> {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  sessionStorage.setItem(nameOf(code), verifier);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return base64url(new Uint8Array(digest));
}

/** Returns the secret once; undefined for a code that this tab never asked for, such as one from somebody's link. */
export function takeVerifier(code: string): string | undefined {
  const verifier = sessionStorage.getItem(nameOf(code)) ?? undefined;
  sessionStorage.removeItem(nameOf(code));
  return verifier;
}
