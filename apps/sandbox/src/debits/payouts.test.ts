import { expect, test } from 'vitest';
import { aSandbox, connect, type SandboxUnderTest } from '#testing/sandbox-under-test.ts';

const email = 'joan@example.com';

async function aRecipient(
  sandbox: SandboxUnderTest,
  account = { branch_code: '062000', account_number: '12345678' },
): Promise<string> {
  return (await sandbox.zepto('POST', '/contacts/anyone', { name: 'Joan Smith', email, ...account })).json.data.id;
}

const pay = (sandbox: SandboxUnderTest, contactId: string, channels: string[], key: string) =>
  sandbox.zepto(
    'POST',
    '/payments',
    {
      description: 'Savings for November',
      matures_at: sandbox.clock.now().toISOString(),
      your_bank_account_id: '83623359-e86e-440c-9780-432a3bc3626f',
      channels,
      payouts: [{ amount: 217, description: 'SAVE00001', recipient_contact_id: contactId }],
    },
    key,
  );

const creditOf = async (sandbox: SandboxUnderTest, ref: string) => {
  const { json } = await sandbox.zepto(
    'GET',
    `/transactions?both_parties=true&parent_ref=${ref}&type=credit&category=payout`,
  );
  return json.data[0];
};

test('a payment by NPP arrives immediately, by direct entry on the next banking day', async () => {
  const sandbox = await aSandbox();
  const contact = await aRecipient(sandbox);
  const fast = await pay(sandbox, contact, ['new_payments_platform', 'direct_entry'], 'fast');
  const slow = await pay(sandbox, contact, ['direct_entry'], 'slow');
  expect([fast.status, slow.status]).toEqual([201, 201]);
  expect(fast.json.data.payouts).toMatchObject([{ amount: 217, recipient_contact_id: contact }]);
  expect((await creditOf(sandbox, fast.json.data.ref)).status).toBe('cleared');
  expect((await creditOf(sandbox, slow.json.data.ref)).status).toBe('clearing');
  await sandbox.moveTo('2026-11-18T22:00:00Z');
  expect((await creditOf(sandbox, slow.json.data.ref)).status).toBe('cleared');
  await sandbox.close();
});

test('a deposit that cannot be made comes back as a payout reversal', async () => {
  const sandbox = await aSandbox();
  const contact = await aRecipient(sandbox);
  await sandbox.control('POST', '/returns', { email, code: 5, of: 'deposit' });
  const { ref, payouts } = (await pay(sandbox, contact, ['direct_entry'], 'k')).json.data;
  await sandbox.pass(2 * 86_400);
  expect(await creditOf(sandbox, ref)).toMatchObject({ status: 'returned', failure: { code: 'E105' } });
  const { json } = await sandbox.zepto('GET', '/transactions?category=payout_reversal');
  expect(json.data).toMatchObject([
    {
      type: 'credit',
      amount: 217,
      status: 'cleared',
      reversal_details: { source_debit_ref: payouts[0].ref, source_credit_failure: { code: 'E105' } },
    },
  ]);
  expect((await sandbox.control('GET', '/payouts')).json).toMatchObject([
    { ref, idempotencyKey: 'k', state: 'returned' },
  ]);
  expect((await sandbox.zepto('GET', '/bank_accounts')).json.data[0].available_balance).toBe(0);
  await sandbox.close();
});

test('a deposit shows on the statement of its account', async () => {
  const sandbox = await aSandbox();
  const { userId } = await connect(sandbox);
  const accounts = (await sandbox.basiq('GET', `/users/${userId}/accounts`)).json.data;
  const saver = accounts.find((account: { class: { type: string } }) => account.class.type === 'savings');
  await pay(
    sandbox,
    await aRecipient(sandbox, { branch_code: saver.bsb, account_number: saver.unmaskedAccNum }),
    ['new_payments_platform'],
    'k',
  );
  const { data } = (
    await sandbox.basiq(
      'GET',
      `/users/${userId}/transactions?filter=${encodeURIComponent(`account.id.eq('${saver.id}')`)}&limit=1`,
    )
  ).json;
  expect(data).toMatchObject([{ amount: '2.17', class: 'direct-credit', direction: 'credit' }]);
  await sandbox.close();
});

test('an idempotency key works once; an unknown channel answers 400', async () => {
  const sandbox = await aSandbox();
  const contact = await aRecipient(sandbox);
  const first = await pay(sandbox, contact, ['direct_entry'], 'k');
  const again = await pay(sandbox, contact, ['direct_entry'], 'k');
  expect([again.status, again.json.errors[0].meta.resource_ref]).toEqual([409, first.json.data.ref]);
  expect((await pay(sandbox, contact, ['carrier_pigeon'], 'other')).status).toBe(400);
  expect((await sandbox.zepto('GET', `/payments/${first.json.data.ref}`)).json.data.ref).toBe(first.json.data.ref);
  await sandbox.close();
});
