import { operations } from '@sparechange/contract';
import fc from 'fast-check';
import { anything, change, headerText } from './hostile.ts';

const identityPaths = [
  ...['signUp', 'signInWithPassword', 'lookup', 'update', 'delete', 'sendOobCode', 'resetPassword'].map(
    (name) => `v1/accounts:${name}`,
  ),
  ...[
    'v1/accounts:signInWithCustomToken',
    'v1/accounts:createAuthUri',
    'v2/passwordPolicy',
    'v1/projects',
    'v2/recaptchaConfig',
  ],
].map((path) => `/identitytoolkit.googleapis.com/${path}`);
/** Every field that some call of the identity service reads. */
export const identityInput = {
  email: 'supporter@example.com',
  password: 'wrong',
  returnSecureToken: true,
  idToken: 'x',
  oobCode: 'x',
  newPassword: 'x',
  requestType: 'PASSWORD_RESET',
  grant_type: 'refresh_token',
  refresh_token: 'x',
  token: 'x',
};
const fixedPaths = [
  ...['/', '/dashboard', '/config.json', '/tenants/default.json', '/tenants/logos/default.svg', '/pages/support.html'],
  ...['/healthz', '/readyz', '/vitals', '/webhooks/basiq', '/webhooks/zepto', '/api/docs', '/.well-known/jwks.json'],
];
const anyPath = fc.oneof(
  fc.constantFrom(...fixedPaths),
  fc
    .tuple(
      fc.constantFrom('/', '/tenants/', '/tenants/logos/', '/assets/', '/api/', '/clubs/'),
      fc.webPath(),
      fc.webQueryParameters(),
    )
    .map(([start, path, query]) => `${start}${path}?${query}`),
  fc.constantFrom(
    '/%00',
    '/%',
    '/tenants/%2e%2e%2fpackage.json',
    '/tenants/logos/..%2f..%2f',
    '/assets/%5c',
    '//x',
    '/\\x',
    `/${'a'.repeat(9_000)}`,
  ),
);

const someHeaders = fc.record(
  {
    apikey: headerText,
    tenant: headerText,
    authorization: fc.oneof(
      headerText,
      headerText.map((text) => `Bearer ${text}`),
      fc.base64String().map((text) => `Bearer ${text}.e30.x`),
    ),
    'content-type': fc.oneof(
      headerText,
      fc.constantFrom('application/json; charset=utf-16', 'text/plain', 'multipart/form-data', 'application/json'),
    ),
    'idempotency-key': headerText,
    'content-encoding': fc.constantFrom('gzip', 'identity', 'br'),
    host: fc.oneof(headerText, fc.constantFrom('aca.sparechange.example', '[::1', 'a:b:c', '"><script>')),
    origin: headerText,
    range: fc.constantFrom('bytes=0-', 'bytes=9-1', 'bytes=a-b'),
    'if-none-match': headerText,
    'accept-encoding': headerText,
    'x-forwarded-for': headerText,
    'webhook-id': headerText,
    'webhook-timestamp': fc.oneof(headerText, fc.constantFrom('1', '99999999999999999999')),
    'webhook-signature': headerText,
    'split-signature': headerText,
    'user-agent': headerText,
  },
  { requiredKeys: [] },
);

/** Undefined nine times in ten. */
const rarely = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

/** A request to anything that is served: valid but for some changes, or malformed. */
export const aRequest = fc.record({
  target: fc.oneof(
    { weight: 12, arbitrary: fc.nat(operations.length - 1).map((index) => ({ index })) },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom(...identityPaths, '/securetoken.googleapis.com/v1/token')
        .map((identity) => ({ identity })),
    },
    { weight: 3, arbitrary: anyPath.map((path) => ({ path })) },
  ),
  caller: fc.constantFrom(0, 0, 0, 0, 1, 2),
  changes: fc.array(change, { maxLength: 3 }),
  raw: rarely(
    fc.oneof(
      anything.map((value) => Buffer.from(JSON.stringify(value) ?? '')),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom('', '{', '{"a":', '[1,2', '"\\ud800"', '{"cdrid":"\\u0000"}', '1e999', `${'['.repeat(30_000)}`)
        .map((text) => Buffer.from(text)),
    ),
  ),
  method: rarely(fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD')),
  headers: fc.oneof({ weight: 5, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: someHeaders }),
});
export type GeneratedRequest = typeof aRequest extends fc.Arbitrary<infer Value> ? Value : never;
