import { setTimeout as pause } from 'node:timers/promises';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anAppOnItsOwnServer } from '#testing/app-on-its-own-server.ts';
import { aClub } from '#testing/makers.ts';
import { servedRoutes } from '#testing/served-routes.ts';
import { aWholeApp, identityKey } from '#testing/whole-app.ts';
import { isThereMs, watchTimes } from './database-watch.ts';

const { api, db, freeze, close } = await anAppOnItsOwnServer(aWholeApp);
const { app } = api;

beforeAll(() => aClub(db, { slug: 'river-rovers', name: 'River Rovers' }));
afterAll(close);

/** The longest that anybody may wait. */
const boundMs = 3_000;
const tickMs = 50;
let ticks = 0;
/** Counts no time in which this process did not get its turn: a busy machine makes no answer late. */
const counting = setInterval(() => (ticks += 1), tickMs);
afterAll(() => clearInterval(counting));

/** Is served of files and memory, or of what was last known; of the pictures that were uploaded, only some are in memory. */
const needsNone =
  /^\w+ (\/healthz|\/\.well-known\/.*|\/config\.json|\/robots\.txt|\/sitemap\.xml|\/manifest\.webmanifest|\/tenants\/(:file|logos\/default\.svg)|\/widget\/:slug|\/(assets|pages)\/.*|\/?\*|\/console\*?|\/console\/(assets|preview-style)\/.*)$/;
/** Needs none either, but is counted: where a network has used up what this server may count alone, the database is asked. */
const isCounted = (route: string) => /^GET \/(share\/.*|api\/(v1\/)?(docs|openapi\.json))$/.test(route);
const mayWait = (route: string) => !needsNone.test(route) && !isCounted(route);

interface Asked {
  route: string;
  status: number;
  body: string;
  ms: number;
}

const ofConsole = (path: string) => path.startsWith('/console');

/** Asks a route as a stranger does, with something in every place of its path. */
async function ask(route: string, remoteAddress = '127.0.0.1'): Promise<Asked> {
  const [method = '', pattern = ''] = route.split(' ');
  const filled = pattern
    .replace(/:name$/, 'rovers-0123456789ab.svg')
    .replaceAll(/:\w+/g, 'river-rovers')
    .replace('*', 'river-rovers')
    .replace(/^(?!\/)/, '/');
  const begun = ticks;
  const { statusCode, body } = await app.inject({
    remoteAddress,
    method: method as NonNullable<InjectOptions['method']>,
    url: filled.includes('googleapis') ? `${filled}?key=${identityKey}` : filled,
    headers: {
      apikey: 'apikey-of-tenant-default',
      tenant: 'default',
      cookie: '__Host-console=somebody',
      'x-sparechange-console': '1',
      ...(ofConsole(filled) ? { host: 'console.sparechange.example' } : {}),
      ...(['POST', 'PUT', 'PATCH'].includes(method) ? { 'content-type': 'application/json' } : {}),
    },
    ...(['POST', 'PUT', 'PATCH'].includes(method) ? { payload: '{}' } : {}),
  });
  return { route, status: statusCode, body, ms: (ticks - begun) * tickMs };
}

/** Every route but those of a method that only describes another. */
const routes = () => servedRoutes(app).filter((route) => !/^(HEAD|OPTIONS) /.test(route));
const askAll = () => Promise.all(routes().map((route) => ask(route)));
const late = (answers: Asked[]) => answers.filter(({ ms }) => ms >= boundMs).map(({ route }) => route);
const refused = (answers: Asked[]) =>
  answers.flatMap(({ route, status }) => (status === 503 ? [route] : [])).toSorted();
const isReady = async () => (await app.inject('/readyz')).statusCode === 200;

test('while the database hangs every route answers within three seconds, those that need it 503, and then serves again', async () => {
  expect((await ask('GET /*')).body).toContain('River Rovers');
  while (!(await isReady())) await pause(20);
  const goOn = await freeze();
  try {
    const page = ask('GET /*');
    const first = await askAll(); // nothing has been detected yet
    expect(late(first)).toEqual([]);
    expect((await page).body).toContain('River Rovers');
    const then = await Promise.all(
      routes()
        .filter(mayWait)
        .map((route) => ask(route)),
    );
    for (const route of routes()) if (!mayWait(route)) then.push(await ask(route));
    expect(late(then)).toEqual([]);
    expect(refused(then.filter(({ route }) => !isCounted(route)))).toEqual(routes().filter(mayWait).toSorted());
  } finally {
    await goOn();
  }
  while (!(await isReady())) await pause(20);
  expect(refused(await askAll())).toEqual([]);
});

/** Addresses that no route takes, and methods that a route does not. */
const unknownRoutes = [
  'POST /api/nonexistent',
  'POST /api/clubs/retrieve',
  'DELETE /api/x',
  'PUT /api/v1/x',
  'POST /console/api/sessions',
  'POST /identitytoolkit.googleapis.com/x',
  'DELETE /vitals',
  'PUT /bank-details/x',
  'POST /x',
];

test('while the database hangs nobody waits at an address that no route takes, counted for the first time or not', async () => {
  const goOn = await freeze();
  try {
    // A network that this server holds no calls for is one whose lease is over: the shared bucket is asked.
    const askUnknown = (network: number) =>
      Promise.all(unknownRoutes.map((route, index) => ask(route, `203.0.${network}.${index}`)));
    const first = await askUnknown(112); // nothing has been detected yet
    expect(late(first)).toEqual([]);
    while (await isReady()) await pause(20);
    const then = await askUnknown(113);
    expect(late(then)).toEqual([]);
    for (const { status } of [...first, ...then]) expect([404, 405, 503]).toContain(status);
    const known = await ask('POST /x', '203.0.113.200');
    expect(known.status).toBe(404);
  } finally {
    await goOn();
  }
  while (!(await isReady())) await pause(20);
  for (const route of unknownRoutes) expect([404, 405]).toContain((await ask(route)).status);
});

test('an emailed link shows a page that asks to come back later', async () => {
  const goOn = await freeze();
  try {
    while (await isReady()) await pause(20);
    const { status, body } = await ask('GET /bank-details/:token');
    expect(status).toBe(503);
    expect(body).toContain('Please try again in a minute.');
  } finally {
    await goOn();
  }
});

test('of itself the watch takes less than three seconds to notice', () => {
  const { everyMs, lateMs, patienceMs } = watchTimes;
  expect(everyMs + lateMs + isThereMs).toBeLessThanOrEqual(2_800);
  expect(everyMs + patienceMs).toBeLessThanOrEqual(2_800);
});
