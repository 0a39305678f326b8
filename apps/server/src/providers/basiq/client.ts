import type { z } from 'zod';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { nextPageUrl } from '#providers/outgoing/provider-answers.ts';
import { type Answer, makeSend, type SendOptions } from '#providers/outgoing/send.ts';
import { withoutSecrets } from '#providers/outgoing/without-secrets.ts';
import { withoutTrailingSlashes } from '#trailing-slashes.ts';
import { ErrorAnswer, ListAnswer, TokenAnswer } from './answers.ts';
import { serverToken } from './token.ts';

export interface BasiqClientOptions extends Omit<SendOptions, 'provider'> {
  apiUrl: string;
  apiKey: string;
  now: () => Date;
}

export interface BasiqCall {
  /** In words for a message: "list the accounts". */
  purpose: string;
  method?: 'GET' | 'POST' | 'DELETE';
  /** Encoded path after `apiUrl`, or an address from the API. */
  path: string | URL;
  query?: Record<string, string>;
  body?: object;
  /** True if repeating is harmless; GET and DELETE always are. */
  isRepeatable?: boolean;
}

/** Basiq understood and said no, with this status. */
export class BasiqRefused extends ProviderRefused {
  readonly status: number;
  constructor(status: number, reason: string) {
    super(reason);
    this.status = status;
  }
}

/** Pages of a list, 500 rows each; nobody has more. */
const maxPages = 1_000;

/** Basiq's HTTP: tokens, one new try with a fresh token, errors as ours. Bodies come back parsed by the schema given. */
export function basiqClient(options: BasiqClientOptions) {
  const { apiUrl, apiKey, now, log } = options;
  const send = makeSend({ ...options, provider: 'Basiq' });
  const base = withoutTrailingSlashes(apiUrl);

  async function mint(form: Record<string, string>): Promise<{ text: string; lifeMs: number }> {
    const purpose = 'make a token';
    const answer = await send({
      purpose,
      method: 'POST',
      url: new URL(`${base}/token`),
      headers: {
        // The key goes as it is: it is base64 already.
        authorization: `Basic ${apiKey}`,
        'basiq-version': '3.0',
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams(form).toString(),
      isRepeatable: true,
    });
    const token = TokenAnswer.safeParse(answer.body);
    if (answer.status !== 200 || !token.success) throw unavailable(purpose, answer);
    return { text: token.data.access_token, lifeMs: token.data.expires_in * 1_000 };
  }

  const token = serverToken(() => mint({ scope: 'SERVER_ACCESS' }), now);

  async function exchange({ purpose, method = 'GET', path, query, body, isRepeatable }: BasiqCall): Promise<Answer> {
    const url = path instanceof URL ? path : new URL(`${base}${path}`);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    for (let isFirst = true; ; isFirst = false) {
      const text = await token.get();
      const answer = await send({
        purpose,
        method,
        url,
        headers: {
          authorization: `Bearer ${text}`,
          accept: 'application/json',
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        isRepeatable: isRepeatable ?? method !== 'POST',
      });
      if (!isFirst || !isTokenRefused(answer)) return answer;
      token.discard(text);
    }
  }

  /** Throws BasiqRefused on a definite no, ProviderUnavailable on other failures. */
  async function call(request: BasiqCall): Promise<unknown> {
    const answer = await exchange(request);
    const { status } = answer;
    if (status >= 200 && status < 300) return answer.body;
    if (!isRefusal(answer)) throw unavailable(request.purpose, answer);
    throw new BasiqRefused(status, describe(request.purpose, answer));
  }

  async function read<Schema extends z.ZodType>(schema: Schema, request: BasiqCall): Promise<z.output<Schema>> {
    const parsed = schema.safeParse(await call(request));
    if (parsed.success) return parsed.data;
    throw new ProviderUnavailable(`Basiq answered in a way that is not understood when asked to ${request.purpose}`);
  }

  /** Lists all rows, page by page. One that cannot be read is left out and logged for the operator. */
  async function list<Schema extends z.ZodType>(row: Schema, request: BasiqCall): Promise<z.output<Schema>[]> {
    const rows: z.output<Schema>[] = [];
    let page: BasiqCall = request;
    for (let count = 1; count <= maxPages; count += 1) {
      const { data, links } = await read(ListAnswer, page);
      for (const each of data) {
        const parsed = row.safeParse(each);
        if (parsed.success) rows.push(parsed.data);
        else log?.warn({ provider: 'Basiq', purpose: request.purpose }, 'A row could not be read and was left out.');
      }
      if (!links?.next) return rows;
      // Whether it keeps the filter is not documented, so nothing is added to it.
      const following = nextPageUrl(links.next, base);
      if (page.path instanceof URL && page.path.href === following.href) break;
      page = { purpose: request.purpose, path: following };
    }
    throw new ProviderUnavailable(`Basiq has no end of pages when asked to ${request.purpose}`);
  }

  return {
    call,
    read,
    list,
    clientToken: async (userId: string) => (await mint({ scope: 'CLIENT_ACCESS', userId })).text,
  };
}

/** Statuses about our key, limits or timing, never the customer. */
const aboutUs = [401, 403, 408, 429];

/** Returns whether Basiq itself refused, unlike a proxy's stray 404. */
function isRefusal({ status, body }: Answer): boolean {
  const [error] = ErrorAnswer.safeParse(body).data?.data ?? [];
  return status >= 400 && status < 500 && !aboutUs.includes(status) && !!error?.code;
}

/** 401, or the 403 that says the token is too old; other 403 are about scope or limits. */
function isTokenRefused({ status, body }: Answer): boolean {
  if (status === 401) return true;
  const errors = ErrorAnswer.safeParse(body).data?.data ?? [];
  return status === 403 && errors.some(({ title, detail }) => /token has expired/i.test(`${title} ${detail}`));
}

const unavailable = (purpose: string, answer: Answer): ProviderUnavailable =>
  new ProviderUnavailable(describe(purpose, answer), { isBusy: answer.status === 429 || answer.status === 503 });

function describe(purpose: string, { status, body }: Answer): string {
  const { correlationId, data } = ErrorAnswer.safeParse(body).data ?? {};
  const [error] = data ?? [];
  const words = [error?.code, error?.detail ?? error?.title].filter(Boolean).join(', ');
  const place = correlationId ? `, correlationId ${correlationId}` : '';
  return `Basiq answered ${status} when asked to ${purpose}${words ? `: ${withoutSecrets(words)}` : ''}${place}`;
}
