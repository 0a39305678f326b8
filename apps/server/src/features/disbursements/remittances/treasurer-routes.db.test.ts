import { retrieveClubFigures, retrieveClubLink } from '@sparechange/contract/console';
import { expect, test } from 'vitest';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole } from '#testing/console.ts';
import { aClub, aTenant, someTenants } from '#testing/makers.ts';

const endedId = 'b0b0b0b0-0000-4000-8000-000000000001';
const ended = aTenant({ key: 'old-appeal', clubID: endedId, endsOn: '1999-12-31' });
const api = ownApp({ tenants: someTenants(aTenant(), ended) });

test('fewer than five supporters are counted for somebody of the organisation, not for holders of an emailed link', async () => {
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

test('a club whose campaign ended in the last century is shown with its end', async () => {
  await aClub(api.db, { id: endedId });
  const person = await anOperator(api.db, { roles: ['treasurer'], clubIds: [endedId] });
  for (const operation of [retrieveClubFigures, retrieveClubLink]) {
    const { body } = await callConsole(api.app, operation, { clubId: endedId }, person);
    expect(body).toMatchObject({ endsOn: '1999-12-31', hasEnded: true });
  }
});
