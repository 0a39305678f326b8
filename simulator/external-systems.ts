import { buildSandbox } from '@sparechange/sandbox/build-sandbox.ts';
import type { VirtualClock } from './scheduler/virtual-clock.ts';

export const keys = {
  basiqApiKey: 'sandbox-basiq-key',
  basiqWebhookSecret: 'whsec_c2FuZGJveC1iYXNpcS13ZWJob29r',
  zeptoToken: 'sandbox-zepto-token',
  zeptoWebhookSecret: 'sandbox-zepto-webhook',
} as const;

/** The address of the external systems; nothing listens there. */
export const externalUrl = 'http://outside.test';
const productUrl = 'http://product.test';

/** Takes a notification of an external system; throws when nobody is there. */
export type Receive = (path: string, headers: Record<string, string>, body: string) => Promise<number>;

/** Banks, the payment provider and their operators, in this process and on the virtual clock. */
export interface ExternalSystems {
  /** A call as it would come over the network; everything it does is done when it answers. */
  fetch: typeof fetch;
  /** Calls that only a simulator may make: faults, purchases, and a look behind the scenes. */
  control<Answer>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Answer>;
  /** Reads the bank's view of a customer, bypassing injected faults. */
  readBank<Answer>(path: string): Promise<Answer>;
  /** Lets everything happen that became due by now. */
  catchUp(): Promise<void>;
  deliverNotifications(receive: Receive): Promise<void>;
  close(): Promise<void>;
}

export async function openExternalSystems(clock: VirtualClock): Promise<ExternalSystems> {
  const sandbox = await buildSandbox({
    databaseFile: ':memory:',
    redirectUrl: `${productUrl}/consented`,
    basiqApiKey: keys.basiqApiKey,
    zeptoToken: keys.zeptoToken,
    origin: externalUrl,
    now: () => clock.now(),
    runsByItself: false,
    webhooks: {
      basiq: { url: `${productUrl}/webhooks/basiq`, secret: keys.basiqWebhookSecret },
      zepto: { url: `${productUrl}/webhooks/zepto`, secret: keys.zeptoWebhookSecret },
    },
  });

  const call = async (
    method: 'GET' | 'POST' | 'DELETE' | 'PATCH',
    url: string,
    headers: Record<string, string>,
    payload?: string,
  ) => sandbox.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });

  const fetchExternal: typeof fetch = async (input, init = {}) => {
    const { pathname, search } = new URL(String(input));
    const headers = Object.fromEntries(new Headers(init.headers));
    const payload = init.body === undefined || init.body === null ? undefined : String(init.body);
    const method = (init.method ?? 'GET') as 'GET' | 'POST' | 'DELETE';
    const answer = await call(method, `${pathname}${search}`, headers, payload);
    const body = answer.statusCode === 204 ? null : answer.body;
    return wholeResponse(body, { status: answer.statusCode, headers: headersOf(answer.headers) });
  };

  async function control<Answer>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Answer> {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const answer = await call(method, `/control${path}`, body ? { 'content-type': 'application/json' } : {}, payload);
    if (answer.statusCode >= 300) throw new Error(`The sandbox refused ${method} ${path}: ${answer.body}`);
    return (answer.body === '' ? undefined : answer.json()) as Answer;
  }

  let token: { text: string; until: number } | undefined;
  async function bankToken(): Promise<string> {
    if (token && clock.peek().getTime() < token.until) return token.text;
    const form = { authorization: `Basic ${keys.basiqApiKey}`, 'basiq-version': '3.0' };
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await call('POST', '/basiq/token', { ...form, ...type }, 'scope=SERVER_ACCESS');
    const { access_token: text } = answer.json<{ access_token: string }>();
    token = { text, until: clock.peek().getTime() + 30 * 60_000 };
    return text;
  }

  return {
    fetch: fetchExternal,
    control,
    async readBank<Answer>(path: string): Promise<Answer> {
      const answer = await call('GET', `/basiq${path}`, { authorization: `Bearer ${await bankToken()}` });
      if (answer.statusCode !== 200) throw new Error(`The bank refused ${path}: ${answer.body}`);
      return answer.json<Answer>();
    },
    catchUp: () => sandbox.clock.set({ offsetMs: 0 }),
    deliverNotifications: (receive) => withFetch(sequentially(receive), () => sandbox.deliverWebhooks()),
    close: () => sandbox.close(),
  };
}

/** A response whose body is already there: reading it takes no time in which something else could happen. */
export function wholeResponse(body: string | null, init: ResponseInit): Response {
  return Object.assign(new Response(null, init), { text: async () => body ?? '' });
}

const headersOf = (given: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));

/** The sandbox posts notifications with the global fetch; while it does, they come here instead. */
async function withFetch(replacement: typeof fetch, work: () => Promise<void>): Promise<void> {
  const original = globalThis.fetch;
  globalThis.fetch = replacement;
  try {
    await work();
  } finally {
    globalThis.fetch = original;
  }
}

/** Both providers notify at the same time; the product receives them in turn, which is the same in every run. */
function sequentially(receive: Receive): typeof fetch {
  let last: Promise<unknown> = Promise.resolve();
  return (input, init = {}) => {
    const { pathname } = new URL(String(input));
    const headers = Object.fromEntries(new Headers(init.headers));
    const answer = last.then(() => receive(pathname, headers, String(init.body)));
    last = answer.catch(() => {});
    return answer.then((status) => wholeResponse(null, { status }));
  };
}
