import { randomUUID } from 'node:crypto';
import * as contract from '@sparechange/contract/console';
import { beforeEach, expect, test } from 'vitest';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole, type TestOperator } from '#testing/console.ts';
import { forgetEverything } from '#testing/makers.ts';

const api = ownApp({ edge: { rateLimitFactor: 0 } });
let owner: TestOperator;
let finance: TestOperator;
beforeEach(async () => {
  await forgetEverything(api.db);
  owner = await anOperator(api.db);
  finance = await anOperator(api.db, { roles: ['finance'] });
});

const shown = async (filter: object) => {
  const { rows } = (await callConsole(api.app, contract.listAuditEntries, filter, owner)).body;
  return rows.filter(({ action }) => action.startsWith('console ')).map(({ action, refusal }) => [action, refusal]);
};

/** Requests a key that writes, for owners to agree to. */
async function aKeyAskedFor(): Promise<string> {
  const { id } = await anOperator(api.db);
  const request = { name: 'a site', scopes: ['write_clubs' as const], days: 30 };
  const asked = await api.acts.apiKey({ kind: 'console', id }, request, 'A key that writes');
  return 'approval' in asked ? asked.approval.id : '';
}

test('a refused act is shown as refused, and a completed one as done', async () => {
  const id = await aKeyAskedFor();
  expect((await callConsole(api.app, contract.agreeToApproval, { id }, finance)).status).toBe(403);
  expect((await callConsole(api.app, contract.agreeToApproval, { id }, owner)).status).toBe(200);
  expect(await shown({ personId: finance.id })).toEqual([['console agreeToApproval', 'not-allowed']]);
  expect(await shown({ personId: owner.id })).toEqual([['console agreeToApproval', null]]);
  expect(await shown({ search: 'REFUSED' })).toEqual([['console agreeToApproval', 'not-allowed']]);
  expect((await auditBooks(api.db)).violations).toEqual([]);
});

test('the call is in the log before anything is done, and its refusal after it, with the person of both', async () => {
  const id = await aKeyAskedFor();
  await callConsole(api.app, contract.agreeToApproval, { id }, finance);
  await callConsole(api.app, contract.agreeToApproval, { id }, owner);
  const entries = await api.db<{ id: string; action: string; details: Record<string, string> }[]>`
    select id, action, details from audit_log where action ~ 'agree' order by id`;
  expect(entries.map(({ action }) => action)).toEqual([
    'console agreeToApproval',
    'console agreeToApproval refused',
    'console agreeToApproval',
    expect.stringMatching(/^approval agreed/),
  ]);
  const refused = { call: entries[0]?.id, refusal: 'not-allowed', operator: finance.id };
  expect(entries[1]?.details).toMatchObject(refused);
});

test.each([
  ['not-found', contract.reinstateClub, { clubId: randomUUID() }],
  ['not-found', contract.downloadClubStatement, { clubId: randomUUID(), month: '2026-11' }],
  ['conflict', contract.writeBankFiles, {}],
  ['invalid-input', contract.confirmWithCode, { code: '000000' }],
] as const)('a $1.name refused as $0 is shown with the reason', async (code, operation, input) => {
  const { body } = await callConsole(api.app, operation, input, owner);
  expect(body.error.code).toBe(code);
  expect(await shown({})).toEqual([[`console ${operation.name}`, code]]);
});

test('an act that fails in a provider or the product is shown as failed, possibly after a part of it', async () => {
  api.directDebit.setUnreachable(true);
  const { status, body } = await callConsole(api.app, contract.reconcileAgain, { day: '2026-11-23' }, owner);
  api.directDebit.setUnreachable(false);
  expect(status).toBeGreaterThanOrEqual(500);
  expect(await shown({ search: 'failed' })).toEqual([['console reconcileAgain', body.error.code]]);
});

test('pages have a call once, refused or not', async () => {
  for (let count = 0; count < 3; count += 1)
    await callConsole(api.app, contract.reinstateClub, { clubId: randomUUID() }, owner);
  const page = async (after?: string) =>
    (
      await callConsole(
        api.app,
        contract.listAuditEntries,
        { limit: 2, search: 'reinstateClub', ...(after && { after }) },
        owner,
      )
    ).body;
  const first = await page();
  const rows = [...first.rows, ...(await page(first.next ?? '')).rows];
  expect(rows.map(({ refusal }) => refusal)).toEqual(['not-found', 'not-found', 'not-found']);
});
