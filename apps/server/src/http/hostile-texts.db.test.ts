import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { ErrorBody, operations } from '@sparechange/contract';
import { consoleOperations } from '@sparechange/contract/console';
import { examples } from '@sparechange/contract/openapi';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anApp } from '#testing/app-under-test.ts';
import { anOperator, exampleOf, type TestOperator } from '#testing/console.ts';
import { aWholeApp, type WholeApp } from '#testing/whole-app.ts';
import { maxHeadBytes } from './oversized-requests.ts';

let api: WholeApp;
let operator: TestOperator;
beforeAll(async () => {
  const edge = { rateLimitFactor: 0, watchTimes: { everyMs: 300, lateMs: 60_000 } };
  api = await aWholeApp({ edge }, { trustProxy: '127.0.0.1' });
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  operator = await anOperator(api.db);
});
afterAll(() => api.close());

const characters = [...' /"a,\\1<>.;=%&:@-'];
const long = 15_000;
/** Another final character prevents a match, so that an expression starts again at each character before it. */
const endings = ['', 'x'];
const maxMilliseconds = 50;

/** Milliseconds of processor time of this thread: neither the machine's other work nor the database is counted. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * Sends a request and returns what is wrong with its answer. Only who holds the thread again and again is named, as a first
 * request also compiles what it runs, and collects the garbage of those before it.
 */
async function problemOf(what: string, request: InjectOptions): Promise<string[]> {
  let status = 0;
  let milliseconds = Infinity;
  for (let attempt = 0; attempt < 4 && milliseconds > maxMilliseconds; attempt += 1) {
    const spent = await cpuOf(async () => {
      status = (await api.app.inject(request)).statusCode;
    });
    milliseconds = Math.min(milliseconds, spent);
  }
  return [
    ...(status >= 500 ? [`${what} is answered ${status}`] : []),
    ...(milliseconds > maxMilliseconds ? [`${what} takes ${Math.round(milliseconds)} ms`] : []),
  ];
}

async function problemsOf(requests: [what: string, request: InjectOptions][]): Promise<string[]> {
  const problems: string[] = [];
  for (const [what, request] of requests) problems.push(...(await problemOf(what, request)));
  return problems;
}

const keys = { apikey: 'apikey-of-tenant-default', tenant: 'default' };
const json = { 'content-type': 'application/json' };
const consoleHeaders = () => ({
  host: 'console.sparechange.example',
  'x-sparechange-console': '1',
  cookie: operator.cookie,
});

const encoded = (character: string): string => (/[\w.~-]/.test(character) ? character : encodeURIComponent(character));

test.each(characters)('a path of %j alone holds nobody up', async (character) => {
  const root = character === '\\' ? '/x' : '/'; // injected, a backslash there would begin a host's name
  const paths = [root, '/clubs/', '/api/', '/tenants/', '/tenants/logos/', '/assets/', '/share/default/', '/console/'];
  const texts = [character.repeat(long), encoded(character).repeat(600), character.repeat(1_900)].flatMap((text) =>
    endings.map((end) => text + end),
  );
  const requests = paths.flatMap((start) =>
    texts.map((text): [string, InjectOptions] => [
      `${start} with ${text.length}`,
      { url: `${start}${text}`.replaceAll(/[?#]/g, 'x') },
    ]),
  );
  expect(await problemsOf(requests)).toEqual([]);
});

test.each(characters)('a query of %j alone holds nobody up', async (character) => {
  const text = `${encoded(character).repeat(long / encoded(character).length)}x`;
  const ofCalls = operations
    .filter(({ method }) => method === 'GET')
    .map(({ name, path }): [string, InjectOptions] => [
      name,
      { url: `/api${path}?${text}=${text}&search=${text}&parentClubId=${text}`, headers: keys },
    ]);
  const ofPages = ['/', '/clubs', '/share/default/brand.png', '/api/consent-pages/x'].map(
    (path): [string, InjectOptions] => [path, { url: `${path}?given=${text}&${text}` }],
  );
  const ofConsole = consoleOperations
    .filter(({ method }) => method === 'GET')
    .map(({ name, path }): [string, InjectOptions] => [
      name,
      { url: `/console/api${path}?search=${text}&after=${text}&${text}`, headers: consoleHeaders() },
    ]);
  expect(await problemsOf([...ofPages, ...ofCalls, ...ofConsole])).toEqual([]);
});

const headers = [
  ...['accept', 'accept-encoding', 'accept-language', 'apikey', 'authorization', 'content-type', 'cookie', 'forwarded'],
  ...['host', 'if-match', 'if-modified-since', 'if-none-match', 'if-range', 'origin', 'range', 'referer', 'tenant'],
  ...['traceparent', 'transfer-encoding', 'user-agent', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'],
  'x-sparechange-console',
];

test.each(headers)('a header %s of one character holds nobody up', async (name) => {
  const targets: [string, InjectOptions][] = [
    ['a page', { url: '/clubs' }],
    ['a file', { url: '/assets/main-0a1b2c.js' }],
    ['a logo', { url: '/tenants/logos/default.svg' }],
    ['a call', { method: 'POST', url: '/api/clubs/find', headers: { ...json, ...keys }, payload: { club: 'x' } }],
    [
      'a call of the console',
      {
        method: 'POST',
        url: '/console/api/session/sign-in-link',
        headers: { ...json, host: 'console.sparechange.example' },
        payload: { email: 'a@b.example' },
      },
    ],
  ];
  const starts = ['', 'x', ...(name === 'authorization' ? ['Bearer '] : []), ...(name === 'range' ? ['bytes='] : [])];
  const requests = characters.flatMap((character) =>
    starts.flatMap((start) =>
      endings.flatMap((end) =>
        targets.map(([what, target]): [string, InjectOptions] => [
          `${what} with ${start}${character}${end}`,
          { ...target, headers: { ...target.headers, [name]: start + character.repeat(long) + end } },
        ]),
      ),
    ),
  );
  expect(await problemsOf(requests)).toEqual([]);
});

/** The input with a text in place of each of its texts, however deep. */
const filled = (input: unknown, text: string): unknown => {
  if (typeof input === 'string') return text;
  if (Array.isArray(input)) return input.map((each) => filled(each, text));
  if (typeof input !== 'object' || input === null) return input;
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, filled(value, text)]));
};

describe('bodies', () => {
  const sent = operations.filter(({ method }) => method === 'POST');
  const ofConsole = consoleOperations.filter(({ method }) => method === 'POST');

  const countTexts = (input: unknown): number => JSON.stringify(filled(input, '~')).split('~').length - 1;
  /** The largest input with one character in each of its texts that other than large bodies may have. */
  const fitting = (character: string, input: unknown): string =>
    JSON.stringify(filled(input, `x${character.repeat(Math.floor(40_000 / countTexts(input)))}x`));
  /** An input without texts has no place for a character: its operation takes what its own work takes. */
  const bodies = (input: unknown, at: number): [string, string][] => [
    ['of a megabyte', `x${(characters[at % characters.length] ?? 'a').repeat(1_000_000)}x`],
    ...[...(countTexts(input) > 0 ? ' /"a,\\1<' : '')].map((character): [string, string] => [
      `of ${character}`,
      fitting(character, input),
    ]),
  ];

  test('of one character hold nobody up at any operation of the API', async () => {
    const requests = sent.flatMap(({ name, path }, at) =>
      bodies(examples[name]?.input ?? {}, at).map(([how, payload]): [string, InjectOptions] => [
        `${name} ${how}`,
        { method: 'POST', url: `/api${path}`, headers: { ...json, ...keys }, payload },
      ]),
    );
    expect(await problemsOf(requests)).toEqual([]);
  });

  test('of one character hold nobody up at any operation of the console', async () => {
    const requests = ofConsole.flatMap((operation, at) =>
      bodies(exampleOf(operation), at).map(([how, payload]): [string, InjectOptions] => [
        `${operation.name} ${how}`,
        { method: 'POST', url: `/console/api${operation.path}`, headers: { ...json, ...consoleHeaders() }, payload },
      ]),
    );
    expect(await problemsOf(requests)).toEqual([]);
  });

  test('beyond the limit of an operation are refused before they are parsed, and their faults not carried back', async () => {
    for (const { path } of [...sent].slice(0, 5)) {
      const answer = await api.app.inject({
        method: 'POST',
        url: `/api${path}`,
        headers: { ...json, ...keys },
        payload: '{'.repeat(1_000_000), // would be 400 as JSON
      });
      expect(answer.statusCode).toBe(413);
    }
    const faults = { clubs: 'x', [`x${'y'.repeat(30_000)}`]: 1, club: 'z'.repeat(30_000) };
    const answer = await api.app.inject({ method: 'POST', url: '/api/clubs/find', headers: keys, payload: faults });
    expect(answer.statusCode).toBe(400);
    expect(answer.body.length).toBeLessThan(2_000);
  });
});

describe('a request that is too large or too slow', () => {
  test('is refused by its path and its encodings, with the headers of every answer', async () => {
    const ofPath = await api.app.inject(`/${'a'.repeat(2_000)}`);
    const ofEncoding = await api.app.inject({ url: '/clubs', headers: { 'accept-encoding': 'br, '.repeat(60) } });
    for (const [answer, status] of [
      [ofPath, 414],
      [ofEncoding, 431],
    ] as const) {
      expect(answer.statusCode).toBe(status);
      expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
      expect(ErrorBody.parse(answer.json()).error.code).toBe('invalid-input');
    }
    expect((await api.app.inject(`/clubs/${'a'.repeat(1_900)}`)).statusCode).not.toBe(414);
  });

  const says = async (port: number, text: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    socket.write(text);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(socket, 'close');
    return Buffer.concat(chunks).toString();
  };
  const portOf = ({ app }: Pick<WholeApp, 'app'>) => (app.server.address() as AddressInfo).port;

  test('is refused by Node once its head has more than 8 kB', async () => {
    const head = `GET /healthz HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(maxHeadBytes)}\r\n\r\n`;
    expect(await says(portOf(api), head)).toMatch(/^HTTP\/1.1 431 /);
  });

  test('has ten seconds for its headers and thirty in all, and is then answered', async () => {
    expect(api.app.server).toMatchObject({ headersTimeout: 10_000, requestTimeout: 30_000 });
    const impatient = await anApp();
    Object.assign(impatient.app.server, { headersTimeout: 50, requestTimeout: 100 }); // looked at every five seconds
    await impatient.app.listen({ port: 0, host: '127.0.0.1' });
    const unfinished = ['', 'content-length: 9\r\n\r\n'].map((rest) =>
      says(
        portOf(impatient),
        `POST /api/clubs/find HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${rest}`,
      ),
    );
    for (const answer of await Promise.all(unfinished)) expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    await impatient.close();
  });
});
