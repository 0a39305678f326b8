import { randomUUID } from 'node:crypto';
import { consoleOperations, setClubMails } from '@sparechange/contract/console';
import { beforeAll, expect, test } from 'vitest';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole, exampleOf, type TestOperator } from '#testing/console.ts';
import { aClub } from '#testing/makers.ts';

const api = ownApp({ edge: { rateLimitFactor: 0 } });
let owner: TestOperator;
beforeAll(async () => {
  owner = await anOperator(api.db);
});

const ofClubs = consoleOperations.filter((operation) => 'clubId' in exampleOf(operation));

test.each(ofClubs)('$name is answered 404 for a club that does not exist', async (operation) => {
  for (const clubId of [randomUUID(), '00000000-0000-0000-0000-000000000000']) {
    const input = { ...exampleOf(operation), clubId };
    expect((await callConsole(api.app, operation, input, owner)).status).toBe(404);
  }
});

test('a club is found by its id in capitals too', async () => {
  const clubId = await aClub(api.db);
  const input = { clubId: clubId.toUpperCase(), frequency: 'monthly' };
  expect((await callConsole(api.app, setClubMails, input, owner)).status).toBe(200);
  const [club] = await api.db`select advice_frequency as frequency from clubs where id = ${clubId}`;
  expect(club).toEqual({ frequency: 'monthly' });
});
