import { z } from 'zod';
import type { BusinessRegister } from '#ports/business-register.ts';
import { ProviderUnavailable } from '#ports/errors.ts';

export interface AbnLookupSettings {
  /** Address of the JSON service. */
  url: string;
  /** Given by the register to those who sign up. */
  guid: string;
  fetch?: typeof fetch;
  timeoutMs?: number;
}

const Details = z.object({ Abn: z.string(), AbnStatus: z.string(), EntityName: z.string(), Message: z.string() });

const opening = 'callback(';

/** Reads the JSON within a call of `callback`; returns undefined for any other answer. */
export function readDetails(text: string): z.output<typeof Details> | undefined {
  const call = text.trim().replace(/;$/, '').trimEnd();
  if (!call.startsWith(opening) || !call.endsWith(')')) return undefined;
  try {
    return Details.safeParse(JSON.parse(call.slice(opening.length, -1))).data;
  } catch {
    return undefined;
  }
}

/** The Australian Business Register's ABN Lookup, its JSON service. */
export function abnLookup({ url, guid, fetch: send = fetch, timeoutMs = 5_000 }: AbnLookupSettings): BusinessRegister {
  return {
    find: async (abn) => {
      const address = new URL(url);
      address.search = new URLSearchParams({ abn, callback: 'callback', guid }).toString();
      const text = await send(address, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' })
        .then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(`status ${answer.status}`))))
        .catch((cause: unknown) => {
          throw new ProviderUnavailable('ABN Lookup did not answer.', { cause });
        });
      const details = readDetails(text);
      if (!details) throw new ProviderUnavailable('ABN Lookup gave an answer that cannot be read.');
      if (details.Abn === abn) return { name: details.EntityName, isActive: details.AbnStatus === 'Active' };
      if (/GUID/i.test(details.Message)) throw new ProviderUnavailable('ABN Lookup does not know ABN_LOOKUP_GUID.');
      return undefined;
    },
  };
}
