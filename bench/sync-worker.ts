import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cents, isoDate } from '@sparechange/domain';
import { connect } from '@sparechange/server/db/connect.ts';
import { syncPurchases } from '@sparechange/server/features/round-ups/sync-purchases.ts';
import { doDueWork, type Work } from '@sparechange/server/features/supporter-work/do-work.ts';
import type { BankLink } from '@sparechange/server/ports/bank-link.ts';
import { makeFieldEncryption } from '@sparechange/server/secrets/field-encryption.ts';
import { loadTenants } from '@sparechange/server/tenants/load-tenants.ts';

// One worker of `bench --only sync`: it says that it is ready, and works once it is asked to.

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: '' },
    round: { type: 'string', default: '0' },
    latency: { type: 'string', default: '150' },
    inFlight: { type: 'string', default: '32' },
  },
});
const { round } = values;
const now = new Date('2026-11-24T20:00:00Z');
const isLater = <Result>(result: Result) => sleep(Number(values.latency), result);
const notAsked = () => Promise.reject(new Error('The bench asks for syncs alone.'));

/** A bank link that takes its time and tells of five new purchases a round. */
const bankLink: BankLink = {
  createCustomer: notAsked,
  consentLink: notAsked,
  listConsents: () =>
    isLater([{ id: 'consent', state: 'active', givenAt: now, expiresAt: new Date('2027-03-01T00:00:00Z') }]),
  connectionsOf: () => isLater([{ hasEnded: false, endsAt: new Date('2027-03-01T00:00:00Z'), dataAt: undefined }]),
  findNewestJob: notAsked,
  jobState: notAsked,
  connectionOfJob: notAsked,
  listAccounts: () => isLater([]),
  balanceOf: notAsked,
  transactionsSince: (customerId) =>
    isLater(
      [1, 2, 3, 4, 5].map((place) => ({
        id: `${customerId} ${round} ${place}`,
        accountId: `account-${customerId.slice('customer-'.length)}-1`,
        status: 'posted' as const,
        direction: 'debit' as const,
        kind: 'payment',
        currency: 'AUD',
        amount: cents(435 + place),
        description: `CORNER CAFE ${round}`,
        isBillPayment: false,
        day: isoDate('2026-11-24'),
      })),
    ),
  refresh: () => isLater(undefined),
  revokeConsent: notAsked,
  parseNotification: () => undefined,
  customerOfEvent: notAsked,
};

const tenants = await loadTenants(fileURLToPath(new URL('../tenants', import.meta.url)));
const db = connect(values.url, { max: 16, name: 'sparechange bench' });
const deps = {
  ...{ db, clock: { now: () => now }, bankLink, encryption: makeFieldEncryption([Buffer.alloc(32, 7)]) },
  ...{ tenants, statementName: 'SPARECHANGE', callsInFlight: Number(values.inFlight) },
};
await db`select 1`;
process.stdout.write('ready\n');
await new Promise((resolve) => process.stdin.once('data', resolve));
const sync: Work = async (id) => {
  await syncPurchases(deps, id);
  return 'asked';
};
const works = { sync, consent_poll: notAsked };
const { done, failed } = await doDueWork(deps, works, (_id, error) => {
  throw error;
});
if (failed > 0) throw new Error(`${failed} syncs failed`);
process.stdout.write(`${done}\n`);
await db.end();
process.exit();
