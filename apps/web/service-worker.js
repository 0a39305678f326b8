/**
 * Keeps the files of the app and one page that holds nobody's data, for reading without a network. It answers nothing but
 * these: every other page (sign-in, the ways back from a bank, mailed links) and every call go to the network alone.
 */
const files = '__FILES__';
const version = '__VERSION__';

const cacheName = `app ${version}`;
/** Screens that only read, and their one document. */
const offlineScreens = ['/dashboard', '/history'];
const page = '/dashboard';

addEventListener('install', (event) => event.waitUntil(keepApp()));
addEventListener('activate', (event) => event.waitUntil(takeOver()));
addEventListener('message', (event) => {
  const { data, ports } = event;
  if (data === 'use the new version') skipWaiting();
  if (Array.isArray(data)) event.waitUntil(answerPage(data, ports[0]));
});
addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (pathname.startsWith('/assets/')) event.respondWith(fileOf(request));
  else if (pathname.startsWith('/tenants/logos/')) event.respondWith(orKept(request, request));
  else if (request.mode === 'navigate' && offlineScreens.includes(pathname)) event.respondWith(orKept(request, page));
});

async function keepApp() {
  const cache = await caches.open(cacheName);
  const answer = await fetch(page, { credentials: 'omit', cache: 'no-store' });
  if (!answer.ok) throw new Error(`The page was answered with ${answer.status}.`);
  const html = await answer.text();
  const lacking = html.match(/\/assets\/[\w.-]+\.(js|css)/g)?.filter((file) => !files.includes(file)) ?? [];
  if (lacking.length > 0) throw new Error(`The page is of another version: ${lacking}.`);
  const logos = new Set(html.match(/\/tenants\/logos\/[\w.-]+\.svg/g));
  await cache.addAll([...files, ...logos]);
  await cache.put(page, markedOffline(html, answer.headers));
}

/** The document says of itself that it comes from here, so that nothing in it passes for live. */
function markedOffline(html, headers) {
  const ofText = new Headers(headers);
  for (const name of ['content-encoding', 'content-length']) ofText.delete(name);
  return new Response(html.replace('<html ', '<html data-offline '), { headers: ofText });
}

/** Says whether a page with these files is of this version, which replaces the present one if no other page is open. */
async function answerPage(filesOfPage, port) {
  const isOurs = filesOfPage.every((file) => files.includes(file));
  port.postMessage(isOurs);
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (isOurs && pages.length === 1) skipWaiting();
}

async function takeOver() {
  for (const name of await caches.keys()) if (name !== cacheName) await caches.delete(name);
  await clients.claim();
}

/** Files are named by their content: one that is here is the right one. */
async function fileOf(request) {
  const kept = await caches.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) (await caches.open(cacheName)).put(request, answer.clone());
  return answer;
}

/** What a proxy answers for a server that is not there. */
const noServer = [502, 503, 504];

/** The network's answer, or the one that is kept where there is no network or no server. */
async function orKept(request, kept) {
  const answer = await fetch(request).catch(() => Response.error());
  if (answer.type !== 'error' && !noServer.includes(answer.status)) return answer;
  return (await caches.match(kept)) ?? answer;
}
