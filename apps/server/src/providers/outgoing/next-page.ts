/**
 * The address of a next page as the provider gave it, on the configured host: our token is never sent
 * to another one, and Zepto's own example of such a link is plain http.
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
  for (const [, url, parameters = ''] of (header ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    if (/;\s*rel="?next"?/i.test(parameters)) return url;
  }
  return undefined;
}
