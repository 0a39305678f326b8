import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { debianPrograms } from '../scripts/debian-programs.ts';
import { logIn } from './as-supporter.ts';
import { addAuthenticator, heading, openLink } from './console-sign-in.ts';
import { aPlace, demo, startProduct, stopProduct, untilReady } from './product.ts';

const run = promisify(execFile);
const read = (path: string) => readFileSync(fileURLToPath(new URL(`../deploy/${path}`, import.meta.url)), 'utf8');

test.use({ ignoreHTTPSErrors: true }); // of calls without a browser

interface Ports {
  /** The port of the product behind the proxy. */
  inside: number;
  http: number;
  https: number;
}

/** Replaces each text, which must occur. */
const replaced = (text: string, ...changes: [string, string][]): string =>
  changes.reduce((sum, [from, to]) => {
    expect(sum).toContain(from);
    return sum.replaceAll(from, to);
  }, text);

/** Returns the command that runs a proxy with its file of deploy/, at other ports and with a certificate of the test. */
type Prepare = (folder: string, ports: Ports) => { args: string[]; env?: Record<string, string> };

const nginx: Prepare = (folder, { inside, http, https }) => {
  const site = replaced(
    read('nginx/sparechange.conf'),
    ['127.0.0.1:4000', `127.0.0.1:${inside}`],
    ['listen 80;', `listen 127.0.0.1:${http};`],
    ['listen [::]:80;', ''],
    ['listen 443 ssl', `listen 127.0.0.1:${https} ssl`],
    ['listen [::]:443 ssl http2;', ''],
    ['giving.example', 'localhost'],
    ['/etc/nginx/certificates', folder],
  );
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  writeFileSync(
    join(folder, 'nginx.conf'),
    `pid ${folder}/pid; error_log ${folder}/error.log; daemon off;\nevents {}\nhttp { access_log off; ${own.join(' ')}\n${site}}\n`,
  );
  return { args: ['-c', join(folder, 'nginx.conf'), '-p', folder] };
};

const caddy: Prepare = (folder, { inside, http, https }) => {
  const site = replaced(
    read('Caddyfile'),
    ['admin off', `admin off\n\thttp_port ${http}\n\thttps_port ${https}`],
    ['api-1:4000 api-2:4000', `127.0.0.1:${inside}`],
    ['/certificates', folder],
  );
  writeFileSync(join(folder, 'Caddyfile'), site);
  return {
    args: ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')],
    env: { PRODUCT_DOMAIN: 'localhost', XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  };
};

const publicKeyHash = (certificate: Buffer): string =>
  createHash('sha256')
    .update(new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64');

const proxies: [name: 'nginx' | 'caddy', prepare: Prepare][] = [
  ['nginx', nginx],
  ['caddy', caddy],
];

for (const [name, prepare] of proxies) {
  test(`through ${name} a supporter signs in, the console is live, and a too large body is refused in JSON`, async ({
    playwright,
    launchOptions,
    request,
  }) => {
    const found = await debianPrograms({ [name]: name, openssl: 'openssl' });
    test.skip(found.whyNot !== undefined, found.whyNot);
    const program = found.whyNot === undefined ? found.paths[name] : '';
    const folder = mkdtempSync(join(tmpdir(), `sparechange-${name}-`));
    const [place, other] = [await aPlace(), await aPlace()];
    const ports = { inside: place.port, http: other.port + 1, https: other.port };
    const certificate = ['-keyout', `${folder}/site.key`, '-out', `${folder}/site.crt`, '-subj', '/CN=localhost'];
    await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...certificate]);
    const home = `https://localhost:${ports.https}`;
    const product = startProduct(place, { PRODUCT_URL: home, TRUSTED_PROXY: '127.0.0.1' });
    // The browser trusts this certificate, as passkeys need a valid one.
    const pin = `--ignore-certificate-errors-spki-list=${publicKeyHash(readFileSync(`${folder}/site.crt`))}`;
    const browser = await playwright.chromium.launch({ ...launchOptions, args: [...(launchOptions.args ?? []), pin] });
    let proxy: ChildProcess | undefined;
    try {
      const page = await browser.newPage({ serviceWorkers: 'block' });
      await untilReady(product);
      const { args, env } = prepare(folder, ports);
      proxy = spawn(program ?? '', args, { stdio: 'inherit', env: { ...process.env, ...env } });
      const isServed = () =>
        request.get(`${home}/readyz`).then(
          (answer) => answer.ok(),
          () => false,
        );
      await expect.poll(isServed).toBe(true);

      await page.goto(home);
      const protocol = () =>
        page.evaluate(
          () => (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).nextHopProtocol,
        );
      expect(await protocol()).toBe('h2');
      await logIn(page, demo);
      await expect(page).toHaveURL(`${home}/dashboard`);

      const plain = await request.get(`http://localhost:${ports.http}/clubs`, { maxRedirects: 0 });
      expect([301, 308]).toContain(plain.status());
      expect(plain.headers().location).toMatch(/^https:\/\/localhost.*\/clubs$/);

      const large = await request.post(`${home}/api/clubs/find`, {
        headers: { 'content-type': 'application/json', apikey: 'x', tenant: 'x' },
        data: JSON.stringify({ text: 'x'.repeat(3_000_000) }),
      });
      expect([large.status(), (await large.json()).error.code]).toEqual([413, 'invalid-input']);

      await openLink(page, /its owner\s+(\S+)/.exec(product.said())?.[1] ?? '');
      await addAuthenticator(page);
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await expect(heading(page, 'Hello Olive')).toBeHidden();
      const first = await page.evaluate(async () => {
        const answer = await fetch('/console/api/live', { headers: { 'x-sparechange-console': '1' } });
        const reader = answer.body?.getReader();
        const { value } = (await reader?.read()) ?? {};
        await reader?.cancel();
        return new TextDecoder().decode(value);
      });
      expect(first).toContain('event: changed');
    } finally {
      await browser.close();
      proxy?.kill();
      await stopProduct(product);
    }
  });
}
