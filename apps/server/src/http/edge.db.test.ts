import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { ErrorBody, operations } from '@sparechange/contract';
import { consoleOperations } from '@sparechange/contract/console';
import { programOperations } from '@sparechange/contract/programs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AppUnderTest } from '#testing/app-under-test.ts';
import { servedRoutes } from '#testing/served-routes.ts';
import { aWholeApp } from '#testing/whole-app.ts';

let api: AppUnderTest;
beforeAll(async () => {
  api = await aWholeApp({ edge: { hsts: true, watchTimes: { everyMs: 20, longestMs: 3_000 } } });
  await api.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => api.close());

const routes = () => servedRoutes(api.app);

const keys = { apikey: 'apikey-of-tenant-default', tenant: 'default' };

describe('the Host header', () => {
  const answer = async (head: string): Promise<string> => {
    const { port } = api.app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET /config.json HTTP/1.1\r\n${head}Connection: close\r\n\r\n`);
    let text = '';
    socket.on('data', (part) => {
      text += String(part);
    });
    await once(socket, 'close');
    return text;
  };

  test('is named in pages only where it is one of ours', async () => {
    expect(await answer('Host: evil.example\r\n')).not.toContain('evil.example');
    expect(await answer('Host: localhost\r\n')).toContain('"selfHostedUrl":"http://localhost"');
  });

  test('is refused when there are two', async () => {
    expect(await answer('Host: localhost\r\nHost: evil.example\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('routes', () => {
  test('every operation of the contract is, and below /api nothing else but the way to the bank and their description', () => {
    const below = routes().filter((route) => route.includes(' /api') && !route.startsWith('HEAD'));
    const operated = [...operations, ...Object.values(programOperations)].map(
      ({ method, path }) => `${method} /api${path.replace('{id}', ':id')}`,
    );
    const documents = ['GET /api/docs', 'GET /api/openapi.json', 'GET /api/v1/openapi.json'];
    const pages = ['GET /api/consent-pages/:ticket', ...documents];
    expect(below.toSorted()).toEqual([...operated, ...pages].toSorted());
  });

  test('every operation of the console is, and below /console nothing else but its pages, changes and previews of brands', () => {
    const below = routes().filter((route) => route.includes(' /console') && !route.startsWith('HEAD'));
    const operated = consoleOperations.map(({ method, path }) => `${method} /console/api${path}`);
    const others = ['GET /console/api/live', 'GET /console/preview-style/:scheme', 'GET /console/preview/:id/:scheme'];
    const pages = ['GET /console', 'GET /console*', 'GET /console/assets/main-0a1b2c.js'];
    expect(below.toSorted()).toEqual([...operated, ...others, ...pages].toSorted());
  });

  test('there are no other routes than the known ones', () => {
    const elsewhere = routes().filter((route) => !/ \/(api|console)|^HEAD/.test(route));
    const known =
      /^\w+ (\/(healthz|readyz|config\.json|robots\.txt|manifest\.webmanifest|sitemap\.xml|share\/:tenant\/:name\.png|vitals|webhooks\/(basiq|zepto)|debit-mails\/:token|bank-details\/:token|widget\/:slug|\.well-known\/(jwks\.json|change-password|security\.txt|dossier-keys\.pem))|\/?\*|\/(tenants|assets|pages|identitytoolkit\.googleapis\.com|securetoken\.googleapis\.com)\/.*)$/;
    expect(elsewhere.filter((route) => !known.test(route))).toEqual([]);
  });

  test('the description can be read by programs and by people', async () => {
    const document = await api.app.inject('/api/openapi.json');
    expect(Object.keys(document.json().paths)).toHaveLength(new Set(operations.map(({ path }) => path)).size);
    const ofPrograms = (await api.app.inject('/api/v1/openapi.json')).json();
    const described = Object.values<object>(ofPrograms.paths).flatMap((methods) => Object.keys(methods));
    expect(described).toHaveLength(Object.keys(programOperations).length);
    const page = await api.app.inject('/api/docs');
    expect(page.headers['content-type']).toMatch(/^text\/html/);
    for (const { name } of operations) expect(page.body).toContain(`<h2 id="${name}-title">${name}</h2>`);
    expect(page.body).not.toMatch(/<script|https?:\/\/(?!consent\.basiq\.io|sparechange\.example|json-schema)/);
  });

  test('a slash at the end of /clubs/retrieve makes no difference', async () => {
    const answers = await Promise.all(
      ['/api/clubs/retrieve', '/api/clubs/retrieve/', '/api/clubs/retrieve/?parentClubId=x'].map((url) =>
        api.app.inject({ url, headers: keys }),
      ),
    );
    expect(answers.map((answer) => [answer.statusCode, answer.json()])).toEqual(Array(3).fill([200, { clubs: [] }]));
  });
});

describe('refusals', () => {
  const json = { 'content-type': 'application/json', ...keys };
  const post = (headers: Record<string, string>, payload: string | Buffer) =>
    api.app.inject({ method: 'POST', url: '/api/clubs/find', headers, payload });

  test.each([
    ['a body that is no JSON', 400, () => post(json, '{')],
    ['an empty body', 400, () => post(json, '')],
    ['a body that sets a prototype', 400, () => post(json, '{"__proto__":{"club":"x"},"club":"x"}')],
    [
      'bytes that are no UTF-8',
      404,
      () => post(json, Buffer.from([...Buffer.from('{"club":"'), 0xff, 0xfe, ...Buffer.from('"}')])),
    ],
    ['a NUL', 400, () => post(json, '{"club":"a\\u0000b"}')],
    ['half a surrogate pair', 400, () => post(json, '{"club":"a\\ud800b"}')],
    ['text as text', 415, () => post({ ...json, 'content-type': 'text/plain' }, '{"club":"x"}')],
    ['a form', 415, () => post({ ...json, 'content-type': 'application/x-www-form-urlencoded' }, 'club=x')],
    ['a type that is none', 415, () => post({ ...json, 'content-type': ';;;' }, '{}')],
    ['too large a body', 413, () => post(json, JSON.stringify({ club: 'x'.repeat(70_000) }))],
    ['another method', 405, () => api.app.inject({ method: 'PUT', url: '/api/clubs/find', headers: keys })],
    ['another method with a body', 405, () => api.app.inject({ method: 'PUT', url: '/api/clubs/find', headers: json })],
    ['GET of what is sent', 405, () => api.app.inject({ url: '/api/clubs/find/', headers: keys })],
    ['an unknown path', 404, () => api.app.inject({ url: '/api/clubs/find/more', headers: keys })],
    [
      'a query parameter given twice',
      400,
      () => api.app.inject({ url: '/api/clubs/retrieve?parentClubId=a&parentClubId=b', headers: keys }),
    ],
    ['a path that cannot be decoded', 400, () => api.app.inject('/api/%E0%A4%A')],
  ])('%s: %i', async (_what, status, send) => {
    const answer = await send();
    expect(answer.statusCode).toBe(status);
    expect(ErrorBody.parse(answer.json()).error.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    if (status === 405) expect(answer.headers.allow).toBe('POST');
  });

  /** Sends bytes over a new connection and returns the answer. */
  const says = async (text: string, { isEnd = true } = {}): Promise<string> => {
    const { port } = api.app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    if (isEnd) socket.end(text);
    else socket.write(text);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(socket, 'close');
    return Buffer.concat(chunks).toString();
  };
  const half = [
    ...['POST /api/clubs/find HTTP/1.1', 'host: a', 'content-type: application/json', 'content-length: 100'],
    ...Object.entries(keys).map(([name, value]) => `${name}: ${value}`),
    ...['', '{"club":'],
  ].join('\r\n');

  test('a request that is not HTTP, or too long, is answered in the same shape', async () => {
    for (const [text, status] of [
      ['GARBAGE\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
      ['GET /api/clubs/retrieve HTTP/1.1\r\nhost: a\r\napikey: \0\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\n\r\n', 400],
    ] as const) {
      const [head = '', body = ''] = (await says(text)).split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(head).toMatch(/\r\nx-content-type-options: nosniff\r\n/);
      expect(ErrorBody.parse(JSON.parse(body)).error.code).toBe('invalid-input');
    }
  });

  test('an expectation that nobody knows is not minded', async () => {
    const head = await says('GET /healthz HTTP/1.1\r\nhost: a\r\nexpect: wonders\r\nconnection: close\r\n\r\n', {
      isEnd: false,
    });
    expect(head).toMatch(/^HTTP\/1.1 200 [\s\S]*\r\nx-content-type-options: nosniff\r\n/);
  });

  test('a body that never ends is answered, as the fault of who sends it', async () => {
    expect(await says(half, { isEnd: false })).toMatch(/^HTTP\/1.1 408 [\s\S]*"The request did not arrive in time."/);
  });
});
