import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { brandOf } from '@sparechange/server/features/correspondence/emails/email.ts';
import { emailContentOf } from '@sparechange/server/features/correspondence/emails/emails.ts';
import { renderEmail } from '@sparechange/server/features/correspondence/emails/render-email.ts';
import {
  everyKind,
  exampleContext,
} from '@sparechange/server/features/correspondence/emails/testing/example-emails.ts';
import { smtpMailer } from '@sparechange/server/providers/smtp/index.ts';
import { openMailServer } from '@sparechange/server/providers/smtp/testing/mail-server.ts';
import { freePort } from '@sparechange/server/providers/testing/local-server.ts';
import { loadTenants } from '@sparechange/server/tenants/load-tenants.ts';
import { z } from 'zod';
import { debianPrograms } from './debian-programs.ts';

// `npm run spam-scores`: what Debian's SpamAssassin and rspamd make of every email to supporters, as the mail server gets
// it, signed. Neither asks anybody on the net. Ends with 1 where one of them gives a mail more than `highest` points.

const highest = 0.5;
const site = new URL('https://giving.example/');
const sender = 'hello@giving.example';

interface WholeMail {
  kind: string;
  /** As sent, headers included. */
  text: string;
}

/** Sends every kind of email to a server of our own. */
async function everyMail(): Promise<WholeMail[]> {
  const tenant = (await loadTenants('tenants')).byKey('default');
  if (!tenant) throw new Error('There is no tenant called default.');
  const { server, port, mails, hangUp } = await openMailServer();
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const mailer = smtpMailer({
    url: `smtp://127.0.0.1:${port}`,
    from: `Sparechange <${sender}>`,
    name: 'mail.giving.example',
    tls: 'if-offered',
    dkim: { domain: 'giving.example', selector: 's1', key: privateKey },
  });
  const kinds: string[] = [];
  for (const facts of Object.values(everyKind).flat()) {
    const letter = renderEmail(emailContentOf(facts, exampleContext(site)), brandOf(tenant, site), 'Robin');
    await mailer.send({ id: `m${kinds.length}abcdefgh`, to: 'robin@example.org', ...letter });
    kinds.push(facts.kind);
  }
  await mailer.close();
  hangUp();
  server.close();
  return mails.map((text, place) => ({ kind: kinds[place] ?? '', text }));
}

/** A mail as one of its filters judges it: points, and the rules that gave any. */
interface Verdict {
  points: number;
  rules: string[];
}

async function printedBy(program: string, args: string[], input: string): Promise<string> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(child, 'close');
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  child.stdin.end(input);
  await ended;
  return printed;
}

async function askSpamAssassin(program: string, { text }: WholeMail): Promise<Verdict> {
  const printed = await printedBy(program, ['--local', '--test-mode'], text);
  const [, points, rules = ''] =
    /^X-Spam-Status: \w+, score=(-?[\d.]+) [\s\S]*?tests=([\w,\s]*?)\s*autolearn/m.exec(printed) ?? [];
  if (points === undefined) throw new Error(`SpamAssassin gave no score: ${printed.slice(0, 200)}`);
  return { points: Number(points), rules: rules.replace(/\s/g, '').split(',') };
}

const Answer = z.object({
  score: z.number(),
  symbols: z.record(z.string(), z.object({ score: z.number() })),
});

/**
 * Files of rspamd's settings: it listens on a port of ours, asks no name server and no list, keeps nothing, and judges the
 * mail, not its server's name.
 */
const settings = (port: number): Record<string, string> => ({
  'options.inc': 'dns { timeout = 0.05s; retransmits = 1; nameserver = ["127.0.0.1:1"]; }',
  'worker-normal.inc': `bind_socket = "127.0.0.1:${port}"; count = 1;`,
  'logging.inc': 'type = "console";',
  ...Object.fromEntries(
    [
      'worker-controller.inc',
      'worker-proxy.inc',
      'worker-fuzzy.inc',
      'fuzzy_check.conf',
      'rbl.conf',
      'hfilter.conf',
    ].map((file) => [file, 'enabled = false;']),
  ),
});

const longestStartMs = 120_000;

/** Starts rspamd, which takes some twenty seconds, and returns how to ask and how to end it. */
async function startRspamd(program: string) {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'rspamd-'));
  for (const name of ['local.d', 'run', 'db', 'log']) mkdirSync(join(folder, name));
  for (const [file, text] of Object.entries(settings(port))) writeFileSync(join(folder, 'local.d', file), `${text}\n`);
  const places = {
    LOCAL_CONFDIR: folder,
    RUNDIR: join(folder, 'run'),
    DBDIR: join(folder, 'db'),
    LOGDIR: join(folder, 'log'),
  };
  const named = Object.entries(places).map(([name, place]) => `--var=${name}=${place}`);
  const child = spawn(program, ['--insecure', '--no-fork', ...named], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const address = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${address}/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (let waitedMs = 0; child.exitCode !== null || !(await answers()); waitedMs += 500) {
    if (waitedMs > longestStartMs || child.exitCode !== null) throw new Error('rspamd did not start.');
    await setTimeout(500);
  }
  return {
    ask: async ({ text }: WholeMail): Promise<Verdict> => {
      const headers = { hostname: 'mail.giving.example', helo: 'mail.giving.example', ip: '203.0.113.9', from: sender };
      const answer = await fetch(`${address}/checkv2`, { method: 'POST', headers, body: text });
      const { score, symbols } = Answer.parse(await answer.json());
      const rules = Object.entries(symbols).flatMap(([name, { score }]) => (score > 0 ? [name] : []));
      return { points: score, rules };
    },
    end: async () => {
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

process.env.TESTS_MAY_INSTALL ??= '1';
const found = await debianPrograms({ spamassassin: 'spamassassin', rspamd: 'rspamd' });
if (found.whyNot !== undefined) {
  process.stdout.write(`Skipped: ${found.whyNot}\n`);
  process.exit(0);
}
const mails = await everyMail();
const rspamd = await startRspamd(found.paths.rspamd);
let worst = Number.NEGATIVE_INFINITY;
for (const mail of mails) {
  const [ofAssassin, ofRspamd] = [await askSpamAssassin(found.paths.spamassassin, mail), await rspamd.ask(mail)];
  worst = Math.max(worst, ofAssassin.points, ofRspamd.points);
  const rules = [...ofAssassin.rules, ...ofRspamd.rules].join(' ');
  const points = [ofAssassin, ofRspamd].map(({ points }) => points.toFixed(2).padStart(6)).join('');
  process.stdout.write(`${points}  ${mail.kind.padEnd(28)} ${rules}\n`);
}
await rspamd.end();
process.stdout.write(`${mails.length} emails, at most ${worst.toFixed(2)} points; ${highest} are allowed.\n`);
process.exit(worst > highest ? 1 : 0);
