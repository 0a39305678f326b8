import { generateKeyPairSync } from 'node:crypto';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { addDays, cents, isoDate } from '@sparechange/domain';
import { parseConfig } from '@sparechange/server/config/config.ts';
import { connect } from '@sparechange/server/db/connect.ts';
import { campaignEnd } from '@sparechange/server/features/beneficiaries/clubs/campaigns.ts';
import { planDebits } from '@sparechange/server/features/collections/debits/plan-debits.ts';
import { sharingRun } from '@sparechange/server/features/collections/debits/release-runs.ts';
import { debitRunAssistant, submitDebits } from '@sparechange/server/features/collections/debits/submit-debits.ts';
import { noticeReader } from '@sparechange/server/features/collections/next-debit/queue-debit-notices.ts';
import { sendMails } from '@sparechange/server/features/core/outbox/send-mails.ts';
import { doDueWork } from '@sparechange/server/features/core/supporter-work/do-work.ts';
import { emailComposer } from '@sparechange/server/features/correspondence/emails/compose-email.ts';
import { renewalLinks } from '@sparechange/server/features/supporters/consents/renewal-links.ts';
import { syncPurchases } from '@sparechange/server/features/supporters/round-ups/sync-purchases.ts';
import { smtpMailer } from '@sparechange/server/providers/smtp/index.ts';
import { makeFieldEncryption } from '@sparechange/server/secrets/field-encryption.ts';
import { debitLinks } from '@sparechange/server/secrets/signed-links.ts';
import { makeLog } from '@sparechange/server/telemetry/log.ts';
import { loadTenants } from '@sparechange/server/tenants/load-tenants.ts';
import { tenantSites } from '@sparechange/server/tenants/tenant-site.ts';
import { timeOf } from '@sparechange/server/testing/timetable.ts';
import { slowBankLink, slowDirectDebit } from './slow-providers.ts';

// One process of the bench: it says that it is ready, and does its part each time that it is asked to.

const { values } = parseArgs({
  options: {
    part: { type: 'string', default: '' },
    url: { type: 'string', default: '' },
    latency: { type: 'string', default: '150' },
    round: { type: 'string', default: 'load' },
    inFlight: { type: 'string', default: '' },
    smtp: { type: 'string', default: '' },
    signed: { type: 'string', default: 'no' },
    buckets: { type: 'string', default: '1' },
  },
});
const latencyMs = Number(values.latency);
const syncedAt = new Date('2026-11-24T20:00:00Z');
const runDate = isoDate('2026-11-30');
const eveningBefore = timeOf('debit-notice', addDays(runDate, -1));
const plannedAt = timeOf('debit-run', runDate);

const tenants = await loadTenants(fileURLToPath(new URL('../tenants', import.meta.url)));
const db = connect(values.url, {
  max: 16,
  name: `sparechange load ${values.part}`,
  buckets: Number(values.buckets),
});
const at = (now: Date) => ({ now: () => now });

/** A worker's share of everybody's sync, each with new purchases. */
async function sync(time: number): Promise<number> {
  const deps = {
    db,
    clock: at(syncedAt),
    bankLink: slowBankLink(latencyMs, `${values.round} ${time}`, syncedAt),
    tenants,
    encryption: makeFieldEncryption([Buffer.alloc(32, 7)]),
    statementName: 'SPARECHANGE',
    callsInFlight: values.inFlight ? Number(values.inFlight) : parseConfig({}).callsInFlight,
  };
  const consent_poll = () => Promise.reject(new Error('Syncs alone are due.'));
  const syncOne = async (id: string) => {
    await syncPurchases({ ...deps, db: db.of(id) }, id);
    return 'asked' as const;
  };
  const works = { sync: syncOne, consent_poll };
  const { done, failed } = await doDueWork(deps, works, (_id, error) => {
    throw error;
  });
  if (failed > 0) throw new Error(`${failed} syncs failed.`);
  return done;
}

const submitDeps = {
  db,
  clock: at(plannedAt),
  bankLink: { balanceOf: async () => undefined },
  directDebit: slowDirectDebit(latencyMs),
  tenants,
  statementName: 'SPARECHANGE',
};

/** A debit run of everybody, planned and submitted. */
async function run(): Promise<number> {
  await planDebits(db, submitDeps.clock, tenants, runDate, cents(1_000_000_000_00));
  return (await submitDebits(submitDeps)).submitted;
}

/** The leader's share of a planned debit run. */
const lead = () =>
  sharingRun(
    db,
    { date: runDate, now: plannedAt },
    async () => (await submitDebits({ ...submitDeps, isShared: true })).submitted,
  );

/** Another worker's share of it. */
async function assist(): Promise<number> {
  const assistDebitRun = debitRunAssistant(submitDeps);
  for (;;) {
    const assisted = await assistDebitRun(new AbortController().signal);
    if (assisted) return assisted.submitted;
    await sleep(20);
  }
}

/** A key that signs emails, where they are signed. */
const dkim =
  values.signed === 'yes'
    ? {
        domain: 'giving.example',
        selector: 's2026',
        key: generateKeyPairSync('rsa', { modulusLength: 2048 })
          .privateKey.export({ type: 'pkcs8', format: 'pem' })
          .toString(),
      }
    : undefined;

/** The emails of the evening before a run. */
async function mails(): Promise<number> {
  const config = parseConfig({});
  const isNoticeDue = noticeReader({ db, tenants });
  const compose = emailComposer({
    db,
    tenants,
    sites: tenantSites(config, tenants),
    graceDays: config.bankDataGraceDays,
    statementName: 'SPARECHANGE',
    debitLinks: debitLinks(Buffer.alloc(32, 7)),
    renewalToken: renewalLinks(Buffer.alloc(32, 7)).token,
    campaignEnd: (supporter) => campaignEnd(db, tenants, supporter),
    isNoticeDue: async (supporterId, run) => {
      await isNoticeDue(supporterId, run);
      return true; // the bench's run debits at the same time what the notices are about
    },
  });
  const mailer = smtpMailer({
    url: values.smtp,
    from: config.mailFrom,
    name: config.productDomain,
    tls: config.smtpTls,
    dkim,
  });
  const log = makeLog('error', 'load', process.stderr);
  return (await sendMails({ db, clock: at(eveningBefore), log, mailer, compose })).sent;
}

const part = { sync, run, lead, assist, mails }[values.part];
if (!part) throw new Error(`There is no part "${values.part}".`);
await db`select 1`;
process.stdout.write('ready\n');
let time = 0;
for await (const _ of createInterface(process.stdin)) {
  const start = performance.now();
  const done = await part(time++);
  const seconds = (performance.now() - start) / 1_000;
  process.stdout.write(`${JSON.stringify({ done, seconds })}\n`);
}
await db.end();
process.exit();
