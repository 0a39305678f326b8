import { folded } from '@sparechange/domain';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { emptiedDatabase } from '#testing/database.ts';
import { aSupporter } from '#testing/makers.ts';
import { aPastDebit } from '#testing/past-debit.ts';
import { searchSupporters } from './search-supporters.ts';

const database = emptiedDatabase();
const find = async (text: string, limit = 20) => {
  const { by, supporters, leftOut } = await searchSupporters(database.pool, text, limit);
  return { by, found: supporters.map(({ email }) => email.split('@')[0]), leftOut };
};

async function aPerson(name: string, firstName: string, lastName: string, mobile: string) {
  const supporter = await aSupporter(database.pool, { email: `${name}@example.com` });
  await database.rows`
    update supporters set first_name = ${firstName}, last_name = ${lastName}, mobile = ${mobile}
    where supporter_id = ${supporter.supporterId}`;
  return supporter;
}
beforeEach(async () => {
  await aPerson('mary', 'Mary Ann', "O'Brien", '0412345678');
  await aPerson('ann', 'Ann', 'Marysdale', '+61 433 000 111');
});

test.each(['0412 345 678', '+61412345678', '61 412 345 678', '0412-345-678', '(0412) 345 678'])(
  'a mobile number is found as %s',
  async (text) => expect(await find(text)).toEqual({ by: 'mobile', found: ['mary'], leftOut: 0 }),
);

test('a number stored in another form is found as well', async () =>
  expect(await find('0433000111')).toMatchObject({ found: ['ann'] }));

describe('a name, with any apostrophe, accents and hyphens on either side', () => {
  beforeEach(async () => {
    await aPerson('sean', 'Seán', 'O’Brien', '0400000002');
    await aPerson('minh', 'Minh Khai'.normalize('NFD'), 'Nguyễn'.normalize('NFD'), '0400000003');
    await aPerson('lech', 'Lech', 'Wałęsa-Smith', '0400000004');
  });

  test.each([
    ["o'brien", ['mary', 'sean']],
    ['o’brien', ['mary', 'sean']],
    ['obrien', ['mary', 'sean']],
    ['sean', ['sean']],
    ['nguyen', ['minh']],
    ['Nguyễn', ['minh']],
    ['nguyễn'.normalize('NFD'), ['minh']],
    ['walesa smith', ['lech']],
    ['WALESA-SMITH', ['lech']],
    ['wałęsa', ['lech']],
  ])('%s', async (text, found) => expect((await find(text)).found.toSorted()).toEqual(found));
});

test('texts are folded by the database as they are here', async () => {
  const letters = fc.constantFrom(..."aZ9｀ŉ″ʹ -'`_%\\ßÆœÞøŁđÐħİıŧŋΣςéñÑç’‘ʼ´＇–−ﬁＡ ̈́नेहा王한がИй😀");
  const texts = fc.sample(fc.string({ unit: fc.oneof(letters, fc.string({ minLength: 1, maxLength: 1 })) }), {
    numRuns: 500,
    seed: 1,
  });
  const rows = await database.rows<{ text: string; form: string }[]>`
    select text, folded(text) as form from unnest(${texts}::text[]) as text`;
  for (const { text, form } of rows) expect(form, JSON.stringify(text)).toBe(folded(text));
});

describe('a name', () => {
  test.each([
    ['mary', ['ann', 'mary']],
    ["o'brien", ['mary']],
    ['OBRIEN', ['mary']],
    ['ann mary', ['ann', 'mary']],
    ['O’Brien', ['mary']],
    ['mary ann o', ['mary']],
    ['mary zed', []],
    ['%', []],
    ['_nn', []],
    ['\\', []],
    ["'; drop table supporters", []],
    ['', []],
  ])('%s', async (text, found) => expect(await find(text)).toEqual({ by: 'name', found, leftOut: 0 }));

  test('that many share is cut off, with the number left out', async () => {
    for (let count = 0; count < 4; count += 1) await aPerson(`pat${count}`, 'Pat', 'Lee', '0400000000');
    const { found, leftOut } = await find('pat lee', 3);
    expect([found.length, leftOut]).toEqual([3, 1]);
  });
});

test('an address is found in any case, a reference by its characters on a statement', async () => {
  for (const text of ['Mary@Example.com', 'mary@', ' MARY@ex'])
    expect(await find(text)).toEqual({ by: 'email', found: ['mary'], leftOut: 0 });
  expect(await find('%@example')).toMatchObject({ by: 'email', found: [] });
  const payer = await aPerson('payer', 'Pay', 'Er', '0400000001');
  const id = await aPastDebit(database.pool, payer, { day: '2026-11-20' });
  await database.rows`update debits set reference = 'RU4F09A1C0D5E6F7A8' where id = ${id}`;
  for (const text of ['RU4F09A1C', 'ru4f09a1c', 'RU4F 09A1 C0D5E6F7A8'])
    expect(await find(text)).toEqual({ by: 'reference', found: ['payer'], leftOut: 0 });
  expect(await find('RU0000000')).toMatchObject({ by: 'reference', found: [] });
});

test('a closed account is listed after the open ones', async () => {
  const closed = await aPerson('closed', 'Ann', 'Able', '0412345678');
  await database.rows`update supporters set closed_on = '2026-11-20' where supporter_id = ${closed.supporterId}`;
  expect(await find('0412345678')).toMatchObject({ found: ['mary', 'closed'] });
});
