import { retrieveGivenPicture } from '@sparechange/contract';
import { cents } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { ownApp } from '#testing/app-under-test.ts';
import { aClub } from '#testing/makers.ts';
import { aPastDebit } from '#testing/past-debit.ts';

const api = ownApp();

test('the picture to share states the cleared amount to date, for the club and no person', async () => {
  const clubId = await aClub(api.db, { slug: 'rovers' });
  const supporter = await api.supporter({ clubId });
  const pathNow = async () => {
    const answer = await api.call(retrieveGivenPicture, { cdrid: supporter.supporterId }, { uid: supporter.uid });
    return answer.body.path;
  };
  expect(await pathNow()).toBeNull();
  await aPastDebit(api.db.of(supporter.supporterId), supporter, { day: '2025-12-31', amount: 430, savings: 100 });
  await aPastDebit(api.db.of(supporter.supporterId), supporter, { day: '2026-10-07', amount: 1000 });
  await aPastDebit(api.db.of(supporter.supporterId), supporter, {
    day: '2026-10-09',
    amount: 900,
    reversedOn: '2026-10-12',
  });
  expect(await pathNow()).toBe(api.givenPictures.path({ key: 'default' }, { id: clubId, slug: 'rovers' }, cents(1330)));
  await api.rows`update debits set state = 'submitted', outcome_at = null where run_date = '2026-10-07'`;
  expect(await pathNow()).toContain('given=330&');
});
