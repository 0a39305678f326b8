/** An escaped NUL or surrogate: unescaped, neither can be in valid JSON. */
const unsafeEscape = /\\u(0000|d[89a-f])/i;

/**
 * Parses a provider's JSON. Halves of surrogate pairs and NULs, which a bank's statement may hold and PostgreSQL does not, become
 * replacement characters. Returns undefined for what is no JSON.
 */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text, unsafeEscape.test(text) ? (_name, value: unknown) => kept(value) : undefined);
  } catch {
    return undefined;
  }
}

const kept = (value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value;

/**
 * Returns a provider's link to its next page, moved to the configured protocol and host: our token goes to no other host,
 * and Zepto's own example of such a link is plain http.
 */
export function nextPageUrl(link: string, apiUrl: string): URL {
  const api = new URL(apiUrl);
  const next = new URL(link, api);
  next.protocol = api.protocol;
  next.host = api.host;
  // Setting a host without a port keeps the old port.
  next.port = api.port;
  return next;
}

/** Returns a `Link` header's `rel="next"`; undefined on the last page. */
export function nextLink(header: string | null): string | undefined {
  for (const [, url, parameters = ''] of (header ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (/;\s*rel="?next"?/i.test(parameters)) return url;
  }
  return undefined;
}
