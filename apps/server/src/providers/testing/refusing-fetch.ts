/**
 * A fetch that answers POSTs to a path itself as long as there are statuses waiting: those about our access, which the
 * sandbox gives only to a wrong token.
 */
export function refusingFetch(path: string): { fetch: typeof fetch; statuses: number[] } {
  const statuses: number[] = [];
  return {
    statuses,
    fetch: async (input, init) => {
      const status = init?.method === 'POST' && String(input).endsWith(path) ? statuses.shift() : undefined;
      if (!status) return fetch(input, init);
      return new Response('{"errors":"The token is not accepted."}', { status });
    },
  };
}
