import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { downloadDossier, refundPayment } from '@sparechange/contract/console';
import { unzipSync } from 'fflate';
import { extractText, getDocumentProxy } from 'unpdf';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { runDebits } from '#features/collections/debits/run-debits.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { keepRequestText, requestTextOf } from '#features/correspondence/direct-debit-request/request-text.ts';
import { remitToClubs } from '#features/disbursements/remittances/remit-to-clubs.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { opsOn } from '#ops/testing/run-ops.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole, type TestOperator } from '#testing/console.ts';
import { aClub, aPurchase, cleared, forgetEverything, testKey } from '#testing/makers.ts';
import { setBankDetails } from '#testing/money-day.ts';

const api = ownApp();
const ops = opsOn(() => api.database);
let finance: TestOperator;
let clubId: string;
beforeAll(() => vi.stubEnv('DATA_KEY', testKey.toString('hex')));
beforeEach(async () => {
  await forgetEverything(api.db);
  api.clock.setTo('2026-11-24T22:00:00Z');
  finance = await anOperator(api.db, { roles: ['finance'] });
  clubId = await aClub(api.db);
  await setBankDetails(api.db, clubId, '12345678');
});

/** Returns the reference of a cleared debit of 70 cents of one supporter; another's is taken beside it. */
async function aClearedDebit() {
  const text = requestTextOf({ key: 'default', directDebitTermsURL: undefined });
  await keepRequestText(api.db, text, api.clock.now());
  const supporter = await api.supporter({ clubId });
  const other = await api.supporter({ clubId, email: 'olive@example.com' });
  await api.db.of(other.supporterId)`
    update supporters set first_name = 'Olive' where supporter_id = ${other.supporterId}`;
  for (const { supporterId } of [supporter, other])
    await api.db.of(supporterId)`update mandates set text_hash = ${text.hash} where supporter_id = ${supporterId}`;
  for (const each of [supporter, other])
    await recordRoundUps(api.db.of(each.supporterId), api.clock.now(), [aPurchase(each)]);
  await runDebits(api);
  const debits = await api.rows<{ reference: string; providerRef: string; supporterId: string }[]>`
    select reference, provider_ref as "providerRef", supporter_id as "supporterId" from debits`;
  for (const { providerRef } of debits) await applyOutcome(api, cleared(providerRef));
  const own = debits.find(({ supporterId }) => supporterId === supporter.supporterId);
  return { reference: own?.reference ?? '', text, supporterId: supporter.supporterId };
}

const take = (reference: string, who = finance) => callConsole(api.app, downloadDossier, { reference }, who);

/** Returns the files of an archive by their names in its folder. */
function filesOf(content: Uint8Array) {
  const files = Object.entries(unzipSync(content)).map(([name, bytes]) => [name.split('/')[1] ?? '', bytes] as const);
  return new Map(files);
}
const textOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();
const pdfText = async (bytes: Uint8Array | undefined) =>
  (await extractText(await getDocumentProxy(new Uint8Array(bytes ?? [])), { mergePages: true })).text.replace(
    /\s+/g,
    ' ',
  );

test('a dossier has the request, the notices, the bank lines, the outcome and the refund of one debit', async () => {
  const { reference, text, supporterId } = await aClearedDebit();
  await api.db.of(supporterId)`
    insert into mails (supporter_id, key, facts, queued_at, due_at, sent_at)
    select supporter_id, 'debit notice', jsonb_build_object('kind', 'debit_notice', 'furtherReferences', jsonb_build_array(reference)),
      '2026-11-23T07:00:00Z', '2026-11-23T07:00:00Z', '2026-11-23T07:00:05Z' from debits where reference = ${reference}`;
  const refund = { reference, amountCents: 20, because: 'given twice', requestId: randomUUID() };
  expect((await callConsole(api.app, refundPayment, refund, finance)).status).toBe(200);
  const { body } = await take(reference);
  expect(body).toMatchObject({ name: `dossier-${reference}.zip`, mediaType: 'application/zip' });
  const files = filesOf(Buffer.from(body.content, 'base64'));
  expect([...files.keys()].sort()).toEqual(
    ['CHECK.txt', 'SHA256SUMS', 'dossier.json', 'dossier.json.sig', 'dossier.pdf', 'dossier.pdf.sig', 'key.pem'].sort(),
  );
  const dossier = JSON.parse(textOf(files.get('dossier.json')));
  expect(dossier).toMatchObject({
    madeAt: api.clock.now().toISOString(),
    debit: { reference, amountCents: 70, state: 'cleared', account: 'XXXX5678', returnCode: null },
    supporter: { name: 'Robin Banks' },
    club: { name: 'Riverside Rovers' },
    request: {
      ip: expect.stringMatching(/\d/),
      agreedAt: expect.stringMatching(/Z$/),
      textSha256: text.hash,
      text: text.content,
    },
    bankLines: [{ day: '2026-11-24', purchaseCents: 430, countedCents: 70 }],
    related: [{ relation: 'refunded_by', amountCents: 20 }],
    notices: [
      { about: 'debit_notice', sentAt: '2026-11-23T07:00:05.000Z', failure: null },
      { about: 'debit_refunded', sentAt: null, failure: null },
    ],
    acts: [expect.objectContaining({ by: 'Pat Person', because: 'given twice' })],
    leftOut: [],
  });
  const said = await pdfText(files.get('dossier.pdf'));
  for (const words of [reference, 'Robin Banks', '$0.70', dossier.request.ip, 'given twice', 'Pat Person', '24-Nov-26'])
    expect(said).toContain(words);
  expect(textOf(files.get('CHECK.txt'))).toContain('https://sparechange.example/.well-known/dossier-keys.pem');
});

test('a dossier names no other supporter, no account number, no merchant, and nothing of the payout', async () => {
  const { reference } = await aClearedDebit();
  api.clock.setTo('2026-11-26T00:00:00Z');
  await remitToClubs(api);
  const files = filesOf(Buffer.from((await take(reference)).body.content, 'base64'));
  for (const said of [textOf(files.get('dossier.json')), await pdfText(files.get('dossier.pdf'))])
    expect(said).not.toMatch(/Olive|olive@|12345678|COFFEE|paid_to_club_by|\$1\.40|"amountCents": 140/);
});

test('taking a dossier is noted with who took it, and is not for support', async () => {
  const { reference } = await aClearedDebit();
  await take(reference);
  const noted = await api.rows<{ details: Record<string, string> }[]>`
    select details from audit_log where action = 'console downloadDossier'`;
  expect(noted).toMatchObject([{ details: { reference, operator: finance.id } }]);
  expect((await take(reference, await anOperator(api.db, { roles: ['support'] }))).status).toBe(403);
});

test('there is no dossier of a payout, and none of an unknown payment', async () => {
  await aClearedDebit();
  api.clock.setTo('2026-11-26T00:00:00Z');
  await remitToClubs(api);
  const [payout] = await api.rows<{ reference: string }[]>`select reference from remittances`;
  const refused = await take(payout?.reference ?? '');
  expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining('debits and one-off')]);
  expect((await take('RU0000000000000000')).status).toBe(404);
});

test('the command writes the same dossier', async () => {
  const { reference } = await aClearedDebit();
  const folder = mkdtempSync(join(tmpdir(), 'dossier-'));
  const file = join(folder, 'one.zip');
  expect(await ops('payment', 'dossier', reference, file)).toMatchObject({ code: 0 });
  const files = filesOf(readFileSync(file));
  expect(JSON.parse(textOf(files.get('dossier.json'))).debit.reference).toBe(reference);
  expect((await ops('payment', 'dossier', reference, join(folder, 'one.pdf'))).code).not.toBe(0);
  rmSync(folder, { recursive: true });
});
