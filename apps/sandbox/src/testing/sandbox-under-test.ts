import { randomUUID } from 'node:crypto';
import type { InjectOptions } from 'fastify';
import { buildSandbox, type Sandbox, type SandboxOptions } from '../build-sandbox.ts';

export const apiKey = 'dGVzdDp0ZXN0';
export const redirectUrl = 'http://localhost:4000/consented';

/** Wednesday, noon in Sydney; an ordinary week without holidays. */
const wednesdayNoon = new Date('2026-11-18T01:00:00Z');

export interface Answer {
  status: number;
  // Answers are looked into field by field; their shapes are what the tests are about.
  json: ReturnType<typeof JSON.parse>;
  text: string;
  headers: Record<string, unknown>;
}

export interface SandboxUnderTest extends Sandbox {
  request(options: InjectOptions): Promise<Answer>;
  basiq(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Answer>;
  zepto(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object, key?: string): Promise<Answer>;
  control(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Answer>;
  token(scope: 'SERVER_ACCESS' | 'CLIENT_ACCESS', userId?: string): Promise<string>;
  addUser(email?: string): Promise<string>;
  /** Moves the sandbox's clock to a later instant. */
  moveTo(instant: string): Promise<void>;
  pass(seconds: number): Promise<void>;
}

/** A sandbox in memory whose time stands still, and where nothing happens, until a test moves the clock. */
export async function aSandbox(options: Partial<SandboxOptions> = {}): Promise<SandboxUnderTest> {
  const sandbox = await buildSandbox({
    databaseFile: ':memory:',
    redirectUrl,
    basiqApiKey: apiKey,
    zeptoToken: 'token',
    now: () => wednesdayNoon,
    runsByItself: false,
    ...options,
  });

  async function request(wanted: InjectOptions): Promise<Answer> {
    const { statusCode, headers, body } = await sandbox.app.inject(wanted);
    const isJson = String(headers['content-type']).startsWith('application/json');
    return { status: statusCode, headers, text: body, json: isJson ? JSON.parse(body) : undefined };
  }

  const withBody = (body: object | undefined) => (body === undefined ? {} : { payload: body });

  const token = async (scope: 'SERVER_ACCESS' | 'CLIENT_ACCESS', userId?: string): Promise<string> => {
    const form = new URLSearchParams(userId === undefined ? { scope } : { scope, userId });
    const answer = await request({
      method: 'POST',
      url: '/basiq/token',
      headers: {
        authorization: `Basic ${apiKey}`,
        'basiq-version': '3.0',
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: form.toString(),
    });
    return answer.json.access_token;
  };

  const under: SandboxUnderTest = {
    ...sandbox,
    request,
    token,
    basiq: async (method, path, body) =>
      request({
        method,
        url: `/basiq${path}`,
        headers: { authorization: `Bearer ${await token('SERVER_ACCESS')}` },
        ...withBody(body),
      }),
    zepto: (method, path, body, key) =>
      request({
        method,
        url: `/zepto${path}`,
        headers: { authorization: 'Bearer token', ...(key === undefined ? {} : { 'idempotency-key': key }) },
        ...withBody(body),
      }),
    control: (method, path, body) => request({ method, url: `/control${path}`, ...withBody(body) }),
    addUser: async (email = `${randomUUID()}@example.com`) => (await under.basiq('POST', '/users', { email })).json.id,
    moveTo: (instant) => sandbox.clock.set({ now: new Date(instant) }),
    pass: (seconds) => sandbox.clock.set({ offsetMs: sandbox.clock.offsetMs() + seconds * 1000 }),
  };
  return under;
}

/** Walks the consent pages as a browser without JavaScript would. */
export class Browser {
  readonly sandbox: SandboxUnderTest;
  location = '';
  page = '';
  status = 0;

  constructor(sandbox: SandboxUnderTest) {
    this.sandbox = sandbox;
  }

  async open(url: string): Promise<this> {
    return this.take(await this.sandbox.request({ method: 'GET', url }), url);
  }

  /** Sends the page's form with its hidden fields and these. */
  async submit(fields: Record<string, string | string[]>): Promise<this> {
    const action = /<form method="post" action="([^"]+)"/.exec(this.page)?.[1] ?? '';
    const form = new URLSearchParams();
    for (const [, name = '', value = ''] of this.page.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g))
      form.append(name, value);
    for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) form.append(name, value);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.take(
      await this.sandbox.request({ method: 'POST', url: action, headers, payload: form.toString() }),
      action,
    );
  }

  get heading(): string {
    return /<h1>([^<]*)<\/h1>/.exec(this.page)?.[1] ?? '';
  }

  get code(): string {
    return /<output>(\d+)<\/output>/.exec(this.page)?.[1] ?? '';
  }

  get ticks(): string[] {
    return [...this.page.matchAll(/type="checkbox"\s+name="account"\s+value="(\d+)" checked/g)].map(([, value]) =>
      String(value),
    );
  }

  private async take(answer: Answer, url: string): Promise<this> {
    this.location = url;
    this.status = answer.status;
    this.page = answer.text;
    const next = answer.status === 303 ? String(answer.headers.location) : undefined;
    if (next === undefined) return this;
    if (next.startsWith('/')) return this.open(next);
    this.location = next;
    return this;
  }
}

export interface Connected {
  userId: string;
  jobId: string;
  email: string;
}

/** Lets a user authorise all accounts of this CRN; returns the id of the job, which is pending. */
export async function authoriseAs(
  sandbox: SandboxUnderTest,
  userId: string,
  crn: string,
  institution = 'AU00000',
): Promise<string> {
  const browser = new Browser(sandbox);
  await browser.open(`/home?token=${await sandbox.token('CLIENT_ACCESS', userId)}&institutionId=${institution}`);
  await browser.submit({ crn });
  await browser.submit({ code: browser.code });
  await browser.submit({ account: browser.ticks, decision: 'authorise' });
  return new URL(browser.location).searchParams.get('jobId') ?? '';
}

/** Authorises all accounts of this CRN as a new user; the job is pending. */
export async function authorise(
  sandbox: SandboxUnderTest,
  crn: string,
  institution = 'AU00000',
  email = `${randomUUID()}@example.com`,
): Promise<Connected> {
  const userId = await sandbox.addUser(email);
  return { userId, email, jobId: await authoriseAs(sandbox, userId, crn, institution) };
}

/** Connects a bank and fetches everything. */
export async function connect(
  sandbox: SandboxUnderTest,
  crn = '12345678',
  institution = 'AU00000',
  email?: string,
): Promise<Connected> {
  const connected = await authorise(sandbox, crn, institution, email);
  await sandbox.pass(3);
  return connected;
}
