import { isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { emptiedDatabase } from '#testing/database.ts';
import { fakeDirectDebit } from '#testing/fake-direct-debit.ts';
import { aClock, aPurchase, aSupporter, aTenant, someTenants, testEncryption } from '#testing/makers.ts';
import { paymentDeps } from '#testing/payment-deps.ts';
import { planDebits } from './plan-debits.ts';
import { registerMandates } from './register-mandates.ts';
import { submitDebits } from './submit-debits.ts';

const database = emptiedDatabase();
const clock = aClock();

const before = fakeDirectDebit();
const aSupporterWith = (overrides = {}) => aSupporter(database.pool, { directDebit: before, ...overrides });

test('after a change of provider earlier mandates are registered there, and debits continue', async () => {
  const supporter = await aSupporterWith();
  const directDebit = fakeDirectDebit({ now: clock.now });
  expect(await registerMandates({ db: database.pool, encryption: testEncryption, directDebit })).toEqual({
    registered: 1,
    refused: [],
  });
  expect(directDebit.mandates).toMatchObject([
    { name: 'Robin Banks', email: supporter.email, bsb: '062000', accountNumber: '12345678', ceiling: 1000_00 },
  ]);
  await recordRoundUps(database.pool.of(supporter.supporterId), clock.now(), [aPurchase(supporter)]);
  await planDebits(database.pool, clock, someTenants(aTenant()), isoDate('2026-11-25'));
  await submitDebits(paymentDeps(database.pool, clock, directDebit));
  expect(directDebit.taken).toMatchObject([{ kind: 'debit', amount: 70 }]);
});

test('on a second pass nobody gets two, and ended mandates are not registered', async () => {
  await aSupporterWith();
  const ended = await aSupporterWith();
  await aSupporterWith({ account: false });
  await database.rows`update mandates set cancelled_at = now() where supporter_id = ${ended.supporterId}`;
  const directDebit = fakeDirectDebit();
  const deps = { db: database.pool, encryption: testEncryption, directDebit };
  await registerMandates(deps);
  expect(await registerMandates(deps)).toMatchObject({ registered: 1 });
  expect(directDebit.mandates).toHaveLength(1);
});

test('every page is processed, and one refused mandate does not hold up the others', async () => {
  const { supporterId } = await aSupporterWith();
  await database.rows`
    insert into mandates (supporter_id, id, account_id, terms_version, payer_name, masked_account, tenant,
      ceiling_cents, agreed_at, ip, user_agent, mandate_ref)
    select supporter_id, gen_random_uuid(), account_id, terms_version, payer_name, masked_account, tenant,
      number, agreed_at, ip, user_agent, mandate_ref
    from mandates, generate_series(1, 450) as number where supporter_id = ${supporterId}`;
  const directDebit = fakeDirectDebit();
  directDebit.refuseNextMandate('the account is closed');
  expect(await registerMandates({ db: database.pool, encryption: testEncryption, directDebit })).toEqual({
    registered: 450,
    refused: [{ supporterId, reason: 'the account is closed' }],
  });
  expect(directDebit.mandates).toHaveLength(450);
});

test('an account that cannot be read does not hold up the others', async () => {
  const unreadable = await aSupporterWith();
  await aSupporterWith();
  await database.rows`
    update accounts set account_number_encrypted = 'lost' where supporter_id = ${unreadable.supporterId}`;
  const directDebit = fakeDirectDebit();
  const report = await registerMandates({ db: database.pool, encryption: testEncryption, directDebit });
  const reason = 'the account cannot be read: encrypted with a key that is not configured';
  expect(report).toEqual({ registered: 1, refused: [{ supporterId: unreadable.supporterId, reason }] });
});
