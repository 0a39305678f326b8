import { once } from 'node:events';
import { connect } from 'node:net';
import { operations } from '@sparechange/contract';
import { exampleIds, examples } from '@sparechange/contract/openapi';
import { type FastifyBaseLogger, type FastifyInstance, fastify } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { NotAllowed } from '#errors.ts';
import { answerErrors } from '#http/errors.ts';
import type { AppUnderTest } from '#testing/app-under-test.ts';
import { aWholeApp, identityKey, signUp } from '#testing/whole-app.ts';
import { loggedError, makeLog } from './log.ts';
import { traced } from './trace.ts';

interface Line {
  level: number;
  msg: string;
  requestId?: string;
  route?: string;
  [name: string]: unknown;
}

const written: string[] = [];
const log = makeLog('trace', 'test', { write: (line) => void written.push(line) });
const lines = () => written.map((line) => JSON.parse(line) as Line);

let api: AppUnderTest;
beforeAll(async () => {
  api = await aWholeApp({ clock: { now: () => new Date() } }, { loggerInstance: log });
});
afterAll(() => api.close());
beforeEach(() => void written.splice(0));

test('a whole run leaves no account number, token, password, name or address in the log', async () => {
  const email = 'secret.person@example.com';
  const { uid, idToken } = await signUp(api, email);
  const supporter = await api.supporter({ uid, email });
  const savings = { accountName: 'Nest Egg', bsb: '733482', accountNumber: '918273645546' };
  const mine: [string, string][] = [
    [exampleIds.cdrid, supporter.supporterId],
    [exampleIds.userId, uid],
    [exampleIds.account, supporter.account.id],
    [exampleIds.providerAccount, supporter.account.providerAccountId],
    [exampleIds.customer, supporter.bankCustomerId],
    [exampleIds.club, supporter.clubId],
    [exampleIds.jobId, supporter.jobId],
    ['Holiday', savings.accountName],
    ['062000', savings.bsb],
    ['12345678', savings.accountNumber],
    ['robin@example.com', email],
  ];
  for (const { method, path, name } of operations) {
    const input = mine.reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(examples[name]?.input));
    const headers = { apikey: 'apikey-of-tenant-default', tenant: 'default', authorization: `Bearer ${idToken}` };
    // As it should be, with somebody else's id, and cut off in the middle of a secret.
    for (const payload of [
      input,
      input.replaceAll(uid, 'x').replaceAll(supporter.supporterId, 'x'),
      input.slice(0, -8),
    ]) {
      const body =
        method === 'POST' ? { payload, headers: { ...headers, 'content-type': 'application/json' } } : { headers };
      await api.app.inject({ method, url: `/api${path}`, ...body });
    }
  }
  for (const path of [
    'v1/accounts:signInWithPassword',
    'v1/accounts:sendOobCode',
    'v1/accounts:lookup',
    'v1/accounts:update',
  ]) {
    const payload = {
      email,
      password: 'a long password',
      idToken,
      requestType: 'PASSWORD_RESET',
      returnSecureToken: true,
    };
    await api.app.inject({
      method: 'POST',
      url: `/identitytoolkit.googleapis.com/${path}?key=${identityKey}`,
      payload,
    });
  }
  for (const url of [
    `/extend-consent/${email}`,
    `/extend-consent/${email}%E0%A4%A`,
    `/reset?oobCode=SECRETCODE`,
    `/dashboard?userId=${uid}&handoff=SECRETCODE`,
  ])
    await api.app.inject(url);
  const broken =
    await api.rows`insert into supporters (supporter_id, email) values (${supporter.supporterId}, ${email})`.catch(
      (error: unknown) => error,
    );
  log.error({ err: broken, email, values: savings, headers: { authorization: idToken } }, 'a statement failed');
  log.error({ err: new Error('outer', { cause: broken }) }, 'a statement failed inside something');

  const answered = lines().filter(({ msg }) => msg === 'answered');
  expect(new Set(answered.map(({ route }) => route))).toEqual(
    new Set([
      ...operations.map(({ path }) => `/api${path}`),
      'web',
      ...['SignUp', 'SignInWithPassword', 'SendOobCode', 'Lookup', 'Update'].map(
        (name) => `/identitytoolkit.googleapis.com/v1/accounts::${name[0]?.toLowerCase()}${name.slice(1)}`,
      ),
    ]),
  );
  const secrets = [
    ...Object.values(savings),
    email,
    'Robin',
    'Banks',
    '062000',
    '12345678',
    idToken,
    idToken.split('.')[2] ?? '',
    'a long password',
    'SECRETCODE',
    'apikey-of-tenant',
    '0400000000',
    'COFFEE',
  ];
  const everything = written.join('');
  expect(secrets.filter((secret) => everything.includes(secret))).toEqual([]);
});

test('a caller who goes away in the middle of sending is no failure of ours', async () => {
  const { port } = new URL(await api.app.listen({ port: 0, host: '127.0.0.1' }));
  for (const path of ['/api/clubs/find', `/identitytoolkit.googleapis.com/v1/accounts:signUp?key=${identityKey}`]) {
    const head = [`POST ${path} HTTP/1.1`, 'host: a', 'content-type: application/json', 'content-length: 100'];
    const socket = connect(Number(port), '127.0.0.1').end(`${head.join('\r\n')}\r\n\r\n{"club":`);
    socket.resume();
    await once(socket, 'close');
  }
  expect((await fetch(`http://127.0.0.1:${port}/api/clubs/find`, { method: 'POST' })).status).toBe(401);
  expect(lines().filter(({ level }) => level > 30)).toEqual([]);
  expect(lines()).toContainEqual(
    expect.objectContaining({ msg: 'request refused', cause: 'The request was broken off.' }),
  );
});

test('every line of a request carries its id, which the answer names', async () => {
  const answer = await api.app.inject({ url: '/api/nowhere' });
  const { requestId } = answer.json<{ error: { requestId: string } }>().error;
  expect(lines().map((line) => [line.msg, line.requestId])).toEqual([
    ['request refused', requestId],
    ['answered', requestId],
  ]);
});

test('a refusal that names an address is answered with it, and logged without', async () => {
  const app: FastifyInstance = fastify({ loggerInstance: log as FastifyBaseLogger });
  answerErrors(app);
  app.get('/', () => {
    throw new NotAllowed('Nobody with the address robin@example.com is invited, nor "ann@club.example".');
  });
  const answer = await app.inject('/');
  expect(answer.json()).toMatchObject({ error: { message: expect.stringContaining('robin@example.com') } });
  expect(lines()).toContainEqual(
    expect.objectContaining({
      msg: 'request refused',
      cause: 'Nobody with the address (address) is invited, nor (address)',
    }),
  );
  expect(written.join('')).not.toMatch(/robin|ann@/);
});

test('all code that runs for a request logs with its id, once', () => {
  traced('the-request', () => log.info('in a job'));
  traced('another', () => log.child({ requestId: 'its own' }).info('in a request'));
  log.info('at start-up');
  expect(lines().map(({ requestId }) => requestId)).toEqual(['the-request', 'its own', undefined]);
  expect(written[1]?.match(/requestId/g)).toHaveLength(1);
});

test('an error is logged with what it was and where, without the data in it', () => {
  const error = Object.assign(new Error('duplicate key (robin@example.com)'), {
    severity: 'ERROR',
    routine: 'x',
    code: '23505',
    constraint: 'one_each',
    detail: 'Key (email)=(robin@example.com)',
  });
  const logged = loggedError(new Error('could not save', { cause: error }));
  expect(logged).toMatchObject({
    message: 'could not save',
    cause: { code: '23505', constraint: 'one_each', message: 'a statement was refused' },
  });
  expect(JSON.stringify(logged)).not.toContain('robin');
  expect(logged.cause?.stack).toMatch(/^ {4}at /);
  const copy = { ...error, message: error.message, stack: error.stack, queue: 'send-mails' };
  expect(loggedError(copy)).toMatchObject({ type: 'object', code: '23505', message: 'a statement was refused' });
  expect(JSON.stringify(loggedError(copy))).not.toContain('robin');
  expect(loggedError({ message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' })).toMatchObject({
    message: 'connect ECONNREFUSED',
    code: 'ECONNREFUSED',
  });
  const [first, other] = [error, new Error('another')];
  const many = loggedError(new AggregateError([first, other, other, other, other, other], '6 of them failed.'));
  expect(many.errors?.map(({ message }) => message)).toEqual(['a statement was refused', ...Array(4).fill('another')]);
  expect(JSON.stringify(many)).not.toContain('robin');
  expect(loggedError('robin@example.com')).toEqual({ type: 'string', message: 'not an error' });
});
