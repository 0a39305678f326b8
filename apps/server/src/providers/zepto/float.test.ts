import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ProviderAccount, ProviderEntry } from '#ports/direct-debit.ts';
import { listOf, requestsTo } from '#ports/direct-debit-form.suite.ts';
import { zeptoOnSandbox } from '../testing/zepto-on-sandbox.ts';

let under: Awaited<ReturnType<typeof zeptoOnSandbox>>;
beforeEach(async () => {
  under = await zeptoOnSandbox();
});
afterEach(() => under.close());

const { aDebit, aPayout } = requestsTo(() => under);
const asFloat = () => under.control('POST', '/options', { isFloat: true });
const open = async () => {
  const [account] = await under.directDebit.accounts();
  if (!account) throw new Error('The account is no float.');
  return account;
};
const longAgo = new Date('2026-01-01T00:00:00Z');
const entriesOf = (account: ProviderAccount, from = longAgo, until = under.now()) =>
  listOf(account.entries(new Date(from), new Date(until)));
const shown = ({ amount, reference }: ProviderEntry) => `${reference} ${amount}`;

test('an account at a bank has no entries here, and its debits settle as the sum of a day', async () => {
  expect(await under.directDebit.accounts()).toEqual([]);
  await under.directDebit.submitDebits([await aDebit()]);
  await under.settle();
  expect((await listOf(under.directDebit.listPayments(longAgo))).map(({ settledOn }) => settledOn)).not.toContain(
    undefined,
  );
});

test('a float has an entry for each debit, payout and return, with our reference, and no sum of a day', async () => {
  await asFloat();
  const [debit, late] = [await aDebit(), await aDebit()];
  const answers = await under.directDebit.submitDebits([debit, late]);
  await under.settle();
  const refs = answers.map((answer) => (answer.result === 'accepted' ? answer.providerRef : ''));
  await under.returnLate(refs[1] ?? '', 2);
  const payout = aPayout(debit.amount);
  await under.returnNext('payout', 3);
  await under.directDebit.submitPayouts([payout]);
  await under.settle();
  const entries = await entriesOf(await open());
  expect(entries.map(shown).toSorted()).toEqual(
    [
      `${debit.reference} ${debit.amount}`,
      `${late.reference} ${late.amount}`,
      `${late.reference} ${-late.amount}`,
      `${payout.reference} ${-payout.amount}`,
      `${payout.reference} ${payout.amount}`,
    ].toSorted(),
  );
  expect(entries.every(({ id }) => /^FE[0-9a-f]{32}$/.test(id))).toBe(true);
  expect((await listOf(under.directDebit.listPayments(longAgo))).map(({ settledOn }) => settledOn)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('entries are read over all pages, of the instants asked for alone', async () => {
  await asFloat();
  for (let place = 0; place < 205; place += 1)
    await under.control('POST', '/float-adjustments', { cents: place % 2 === 0 ? 1 : -1, description: `Fee ${place}` });
  const at = under.now();
  await under.pass(86_400_000);
  await under.control('POST', '/float-adjustments', { cents: 7, description: 'Later' });
  const account = await open();
  expect(account).toMatchObject({ name: 'Float Account', number: '8029191748212' });
  const day = await entriesOf(account, longAgo, new Date(Number(at) + 3_600_000));
  expect(new Set(day.map(({ id }) => id)).size).toBe(205);
  expect(day.every(({ reference }) => reference === undefined)).toBe(true);
  const later = await entriesOf(account, new Date(Number(at) + 3_600_000), new Date(Number(under.now()) + 1_000));
  expect(later).toMatchObject([{ amount: 7, balanceAfter: 8, description: 'Later' }]);
});
