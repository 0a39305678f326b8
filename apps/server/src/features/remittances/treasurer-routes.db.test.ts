import { retrieveClubFigures } from '@sparechange/contract/console';
import { expect, test } from 'vitest';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole } from '#testing/console.ts';
import { aClub } from '#testing/makers.ts';

const api = ownApp();

test('fewer than five supporters are counted for somebody of the organisation, not for who came by a mailed link', async () => {
  const clubId = await aClub(api.db);
  await api.db`insert into club_supporters (club_id, supporters) values (${clubId}, 3)`;
  const seenBy = async (who: Parameters<typeof anOperator>[1]) => {
    const person = await anOperator(api.db, { clubIds: [clubId], ...who });
    return (await callConsole(api.app, retrieveClubFigures, { clubId }, person)).body.supporters;
  };
  expect(await seenBy({ roles: ['treasurer'] })).toBeNull();
  expect(await seenBy({ roles: ['treasurer', 'finance'] })).toBe(3);
  expect(await seenBy({ roles: ['treasurer', 'finance'], method: 'link' })).toBeNull();
});
