import { isoDate } from '@sparechange/domain';
import { beforeEach, expect, test } from 'vitest';
import { parseConfig } from '#config/config.ts';
import { resumeTenant, suspendTenant } from '#features/collections/debits/suspended-tenants.ts';
import { agreeTo } from '#runtime/approved-acts.ts';
import { openRuntime } from '#runtime/compose.ts';
import { emptiedDatabase } from '#testing/database.ts';
import { whileRefused } from '#testing/disturbed-buckets.ts';
import { aClock, aClub } from '#testing/makers.ts';
import { opsOn } from './testing/run-ops.ts';

const database = emptiedDatabase();
const run = opsOn(() => database);
const ben = { kind: 'operating_system', id: 'ben' } as const;

async function ops(...words: string[]) {
  const { code, said } = await run(...words, '--json');
  return { code, said, json: said.startsWith('{') ? JSON.parse(said) : undefined };
}

/** Agrees as another person of the operating system. */
async function agreeAsBen(id: string) {
  const runtime = await openRuntime(parseConfig({ ...process.env, LOG_LEVEL: 'silent' }), 'ops');
  return agreeTo(runtime, ben, id).finally(() => runtime.close());
}

const bookings = () => database.pool`select from platform_entries`;
const writeOff = (club: string, dollars: string) =>
  ops(
    'ledger',
    'correct',
    '--id',
    `gift ${dollars}`,
    '--debit',
    'operator_funds',
    '--credit',
    'owed_to_clubs',
    '--club',
    club,
    '--amount',
    dollars,
    '--reason',
    'a mistake',
  );

beforeEach(async () => {
  await ops('approvals', 'people', '2');
});

test('with two people a large correction waits for the second one; a small one does not', async () => {
  const club = await aClub(database.pool);
  expect((await writeOff(club, '50.00')).json).toEqual({ result: 'booked' });
  const before = (await bookings()).length;
  const { code, json, said } = await writeOff(club, '50.01');
  expect(code).toBe(0);
  expect(json.approval).toMatchObject({ act: 'ledger_correction' });
  expect(await bookings()).toHaveLength(before);
  expect((await run('status')).said).toContain(`ops approvals agree ${json.approval.id}`);
  expect(await ops('approvals', 'agree', json.approval.id)).toMatchObject({
    code: 1,
    said: 'You asked for this; another person has to agree.\n',
  });
  expect(await agreeAsBen(json.approval.id)).toMatchObject({ result: { result: 'booked' } });
  expect(await bookings()).toHaveLength(before + 2);
  expect((await ops('approvals', 'agree', json.approval.id)).json).toEqual({ isNew: false });
  expect(said).toContain('50.01');
});

test('a forced or confirmed run and the end of a suspension wait for a second person, who may refuse', async () => {
  await suspendTenant(
    { db: database.pool, clock: aClock(), actor: { kind: 'operating_system', id: 'robin' } },
    'default',
    'a complaint',
  );
  const { json: resumed } = await ops('debit-run', 'resume', '--tenant', 'default');
  const { json: forced } = await ops('debit-run', '--date', '2027-01-02', '--force');
  const { json: confirmed } = await ops('debit-run', '--confirm');
  const acts = [resumed, forced, confirmed].map(({ approval }) => approval.act);
  expect(acts).toEqual(['tenant_resume', 'debit_run', 'debit_run']);
  const { json: listed } = await ops('approvals', 'list');
  expect(listed).toMatchObject({
    people: 2,
    approvals: [{ state: 'asked' }, { arguments: { date: isoDate('2027-01-02') } }, {}],
  });
  await agreeAsBen(resumed.approval.id);
  expect((await ops('status')).json.suspendedTenants).toEqual([]);
  await ops('approvals', 'refuse', forced.approval.id);
  await expect(agreeAsBen(forced.approval.id)).rejects.toThrow('was refused');
  expect(await database.pool`select from debit_runs`).toHaveLength(0);
});

test('agreeing to the end of a suspension ends no later one', async () => {
  const clock = aClock();
  await suspendTenant(
    { db: database.pool, clock, actor: { kind: 'operating_system', id: 'robin' } },
    'default',
    'a complaint',
  );
  const { json } = await ops('debit-run', 'resume', '--tenant', 'default');
  await resumeTenant(database.pool, 'default');
  clock.setTo('2026-11-26T00:00:00Z');
  await suspendTenant(
    { db: database.pool, clock, actor: { kind: 'operating_system', id: 'robin' } },
    'default',
    'fraud',
  );
  await expect(agreeAsBen(json.approval.id)).rejects.toThrow('is over already; nothing was done');
  expect((await ops('status')).json.suspendedTenants).toMatchObject([{ tenant: 'default', because: 'fraud' }]);
});

test('a resumption of debits that are not suspended is asked of nobody', async () => {
  expect((await ops('debit-run', 'resume', '--tenant', 'default')).json).toMatchObject({ wasSuspended: false });
  expect((await ops('approvals', 'list')).json.approvals).toEqual([]);
});

test('the approver sees all that is carried out, and nothing that redraws their screen', async () => {
  const club = await aClub(database.pool);
  await writeOff(club, '60.00');
  await ops('keys', 'create', '\u001b[2K\rRefund', '--scopes', 'write_clubs');
  const { said } = await run('approvals', 'list');
  expect(said).toContain(`Club: Riverside Rovers (${club})`);
  expect(said).toContain('Reason: a mistake');
  const [, { id }] = (await ops('approvals', 'list')).json.approvals;
  const { said: one } = await run('approvals', 'show', id);
  expect(one).toContain('Amount: $60.00');
  expect(one).not.toContain('Refund');
  expect((await ops('approvals', 'show', club)).said).toBe(`There is no request ${club}.\n`);
  for (const control of ['\u001b', '\r']) expect(said.includes(control)).toBe(false);
});

test('a command that asks for what another person has asked for names them and how to agree', async () => {
  const { json } = await ops('keys', 'create', 'site', '--scopes', 'write_clubs');
  await database.pool`update approvals set asked_by = 'ben' where id = ${json.approval.id}`;
  const { code, said } = await ops('keys', 'create', 'site', '--scopes', 'write_clubs');
  expect(code).toBe(1);
  expect(said).toMatch(
    new RegExp(`^ben asked for exactly this on .* You can agree to it under Today\\. .* agree ${json.approval.id}\n$`),
  );
});

test('an API key that writes waits for a second person, who sees it; one that reads does not', async () => {
  expect((await ops('keys', 'create', 'reader', '--scopes', 'read_clubs')).json.key).toMatch(/./);
  const { json } = await ops('keys', 'create', 'writer', '--scopes', 'read_clubs,write_clubs');
  expect(json.approval).toMatchObject({ act: 'api_key' });
  expect((await ops('keys', 'list')).json.keys).toHaveLength(1);
  expect(await agreeAsBen(json.approval.id)).toMatchObject({ result: { text: expect.any(String) } });
  const { keys } = (await ops('keys', 'list')).json;
  expect(keys).toHaveLength(2);
  const { id } = keys.find(({ name }: { name: string }) => name === 'writer');
  expect((await ops('keys', 'rotate', id)).json.approval).toMatchObject({ act: 'api_key_rotation' });
});

/** Cuts acts off where their end is recorded. */
const cutOff = (work: () => Promise<void>) =>
  whileRefused(database.pool, 'update on approvals', "new.state = 'done'", work);

test('an act that was cut off before its end was recorded is done once when it is agreed to again', async () => {
  const valid = () => database.pool`select hash, former_hash from api_keys where revoked_at is null`;
  const agreeTwice = async (id: string) => {
    await cutOff(() => expect(agreeAsBen(id)).rejects.toThrow('refused'));
    return agreeAsBen(id);
  };
  const { json: asked } = await ops('keys', 'create', 'writer', '--scopes', 'write_clubs');
  expect(await agreeTwice(asked.approval.id)).toMatchObject({ result: { text: expect.any(String) } });
  const [made, ...more] = await valid();
  expect(more).toEqual([]);
  const [key] = (await ops('keys', 'list')).json.keys;
  const { json: rotation } = await ops('keys', 'rotate', key.id);
  await agreeTwice(rotation.approval.id);
  expect(await valid()).toMatchObject([{ former_hash: made?.hash }]);
  expect(await agreeAsBen(rotation.approval.id)).toBeUndefined();
});

test('an organisation goes back to one person only with two; the person who chose is in the audit log', async () => {
  const { json } = await ops('approvals', 'people', '1');
  expect(json.approval.act).toBe('one_person');
  await agreeAsBen(json.approval.id);
  expect((await ops('approvals', 'list')).json).toMatchObject({ people: 1, chosenBy: 'ben' });
  expect((await run('status')).said).toContain('one person is enough for dangerous acts, chosen by ben');
  expect((await run('approvals', 'people', '3')).said).toContain('is 1 or 2');
});

test('with one person every command does as before', async () => {
  await database.pool`delete from approval_rule`;
  const club = await aClub(database.pool);
  expect((await writeOff(club, '5000.00')).json).toEqual({ result: 'booked' });
});

test('the list of what waits, and status, say how many requests they leave out', async () => {
  await database.pool`delete from approvals`;
  await database.pool`
    insert into approvals (act, arguments, summary, asked_by_kind, asked_by, asked_at, expires_at)
    select 'one_person', jsonb_build_object('n', n), 'Request ' || n, 'operating_system', 'ben', now(), now() + interval '7 days'
    from generate_series(1, 502) as n`;
  expect((await run('approvals', 'list')).said).toMatch(/\n2 older requests left out\n$/);
  expect((await ops('approvals', 'list', '--all')).json).toMatchObject({ leftOut: 0 });
  expect((await run('status')).said).toContain('APPROVAL      482 more: npm run -s ops -- approvals list');
});
