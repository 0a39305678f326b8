import type { z } from 'zod';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { nextLink, nextPageUrl } from '#providers/outgoing/provider-answers.ts';
import { type Answer, makeSend, type SendOptions } from '#providers/outgoing/send.ts';
import { withoutSecrets } from '#providers/outgoing/without-secrets.ts';
import { withoutTrailingSlashes } from '#trailing-slashes.ts';
import { ErrorAnswer, ListAnswer } from './answers.ts';

export interface ZeptoClientOptions extends Omit<SendOptions, 'provider'> {
  apiUrl: string;
  token: string;
  apiVersion: string;
}

export interface ZeptoCall {
  /** In words for a message: "list the contacts". */
  purpose: string;
  method?: 'GET' | 'POST' | 'DELETE';
  /** After the API's own address, parts already encoded. */
  path: string;
  query?: Record<string, string>;
  body?: object;
  /** Makes a POST repeatable for 24 hours. */
  idempotencyKey?: string;
}

/** Zepto understood and said no, with this status. */
class ZeptoRefused extends ProviderRefused {
  readonly status: number;
  constructor(status: number, reason: string) {
    super(reason);
    this.status = status;
  }
}

export type ZeptoClient = ReturnType<typeof zeptoClient>;

const rowsPerPage = '100';
/** The most pages of a list, which might never end. */
const maxPages = 100_000;

/** Calls Zepto; parses bodies by schema and translates errors. */
export function zeptoClient(options: ZeptoClientOptions) {
  const { apiUrl, token, apiVersion, log } = options;
  const send = makeSend({ ...options, provider: 'Zepto' });
  const base = withoutTrailingSlashes(apiUrl);

  function addressOf({ path, query }: ZeptoCall): URL {
    const url = new URL(`${base}${path}`);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    return url;
  }

  /** Returns an answer of any status; throws ProviderUnavailable without one. */
  function exchange(call: ZeptoCall, url = addressOf(call)): Promise<Answer> {
    const { purpose, method = 'GET', body, idempotencyKey } = call;
    return send({
      purpose,
      method,
      url,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'zepto-api-version': apiVersion,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      isRepeatable: method !== 'POST' || idempotencyKey !== undefined,
    });
  }

  function requireSuccess({ purpose }: ZeptoCall, answer: Answer): void {
    const { status } = answer;
    if (status >= 200 && status < 300) return;
    const message = describe(purpose, answer);
    throw isRefusal(answer) ? new ZeptoRefused(status, message) : new ProviderUnavailable(message);
  }

  function parse<Schema extends z.ZodType>(schema: Schema, call: ZeptoCall, answer: Answer): z.output<Schema> {
    requireSuccess(call, answer);
    const parsed = schema.safeParse(answer.body);
    if (parsed.success) return parsed.data;
    throw new ProviderUnavailable(`Zepto answered in a way that is not understood when asked to ${call.purpose}`);
  }

  /** Throws ZeptoRefused on a definite no, ProviderUnavailable on other failures. */
  async function read<Schema extends z.ZodType>(schema: Schema, call: ZeptoCall): Promise<z.output<Schema>> {
    return parse(schema, call, await exchange(call));
  }

  /** Makes a call whose answer holds nothing we need. */
  async function call(request: ZeptoCall): Promise<void> {
    requireSuccess(request, await exchange(request));
  }

  /**
   * Lists rows page by page. A row that cannot be read is logged and left out; with `mustReadAll` it throws
   * ProviderUnavailable at the end, since what is looked for may be that row (docs/decisions/payments.md#unreadable-rows).
   */
  async function* list<Schema extends z.ZodType>(
    row: Schema,
    call: ZeptoCall,
    { takesPageSize = true, mustReadAll = false } = {},
  ): AsyncGenerator<z.output<Schema>> {
    let url = addressOf({ ...call, query: { ...call.query, ...(takesPageSize ? { per_page: rowsPerPage } : {}) } });
    let isUnread = false;
    for (let count = 1; count <= maxPages; count += 1) {
      const answer = await exchange(call, url);
      for (const each of parse(ListAnswer, call, answer).data) {
        const parsed = row.safeParse(each);
        if (parsed.success) yield parsed.data;
        else {
          isUnread = true;
          log?.warn({ provider: 'Zepto', purpose: call.purpose }, 'A row could not be read and was left out.');
        }
      }
      const next = nextLink(answer.headers.get('link'));
      if (next === undefined) {
        if (mustReadAll && isUnread)
          throw new ProviderUnavailable(`Zepto listed a row that is not understood when asked to ${call.purpose}`);
        return;
      }
      const following = nextPageUrl(next, base);
      if (following.href === url.href) break;
      url = following;
    }
    throw new ProviderUnavailable(`Zepto has no end of pages when asked to ${call.purpose}`);
  }

  return { exchange, call, read, list };
}

/** Statuses about our access, pace or timing, not the request. */
const aboutUs = [401, 403, 408, 409, 425, 429];

/** Returns whether Zepto itself refused, unlike a proxy's stray 404. */
export function isRefusal({ status, body }: Answer): boolean {
  return status >= 400 && status < 500 && !aboutUs.includes(status) && ErrorAnswer.safeParse(body).success;
}

/** Returns the resource made earlier with the same idempotency key. */
export function resourceOfDuplicate({ status, body }: Answer): string | undefined {
  const errors = status === 409 ? ErrorAnswer.safeParse(body).data?.errors : undefined;
  if (errors === undefined || typeof errors === 'string') return undefined;
  return errors.map(({ meta }) => meta?.resource_ref).find((ref) => !!ref) ?? undefined;
}

export function describe(purpose: string, { status, body }: Answer): string {
  const errors = ErrorAnswer.safeParse(body).data?.errors ?? [];
  const words = typeof errors === 'string' ? errors : errors.map(({ title, detail }) => detail ?? title).join(', ');
  return `Zepto answered ${status} when asked to ${purpose}${words ? `: ${withoutSecrets(words)}` : ''}`;
}
