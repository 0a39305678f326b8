import { randomUUID } from 'node:crypto';
import * as contract from '@sparechange/contract';
import { beforeAll, expect, test } from 'vitest';
import { endedClubId, ownApp } from '#testing/app-under-test.ts';
import { aClub } from '#testing/makers.ts';

const api = ownApp();
let league: string;
let rovers: string;
beforeAll(async () => {
  league = await aClub(api.db, { slug: 'river-league', name: 'River League' });
  rovers = await aClub(api.db, { slug: 'rovers', name: 'rovers FC', parentId: league });
  await aClub(api.db, { slug: 'divers', name: 'Divers' });
});

test('all clubs are listed by name, regardless of case', async () => {
  const answer = await api.call(contract.retrieveClubs, {});
  expect(answer.body.clubs.map((club: { name: string }) => club.name)).toEqual(['Divers', 'River League', 'rovers FC']);
});

test('under a parent only its clubs are listed', async () => {
  const answer = await api.call(contract.retrieveClubs, { parentClubId: league });
  expect(answer.body).toEqual({ clubs: [{ _id: rovers, name: 'rovers FC', suburb: null, logoURL: null }] });
});

test.each(['not an id', randomUUID()])('under the parent %s there are none', async (parentClubId) => {
  expect((await api.call(contract.retrieveClubs, { parentClubId })).body).toEqual({ clubs: [] });
});

test('the address with a trailing slash, as the specification writes it, answers too', async () => {
  const operation = { ...contract.retrieveClubs, path: '/clubs/retrieve/' };
  expect((await api.call(operation, { parentClubId: league })).body.clubs).toHaveLength(1);
});

test('a club is found by its slug, regardless of case', async () => {
  expect((await api.call(contract.findClubBySlug, { club: 'Rovers' })).body).toMatchObject({ clubId: rovers });
});

test('with its slug come only the words, the pictures and the figures of its page', async () => {
  await api.rows`
    update clubs set about = 'By the river.', suburb = 'Riverside', sport = 'Football', logo = 'rovers.svg',
      picture = 'oval.svg', abn = '51824753556', account_name = 'Rovers Inc', contact_email = 'treasurer@rovers.example'
    where id = ${rovers}`;
  await api.rows`insert into club_figures (club_id, raised_cents, supporters) values (${rovers}, 190687, 214)`;
  const { body } = await api.call(contract.findClubBySlug, { club: 'rovers' });
  expect(body).toEqual({
    clubId: rovers,
    page: {
      name: 'rovers FC',
      about: 'By the river.',
      suburb: 'Riverside',
      sport: 'Football',
      logoURL: '/tenants/logos/rovers.svg',
      pictureURL: '/tenants/pictures/oval.svg',
      abn: '51824753556',
      figures: { raisedDollars: 1906, supporters: 214 },
    },
  });
});

test('a club is found by its id, with its parent', async () => {
  const figures = { raisedDollars: 1906, supporters: 214 };
  const document = {
    _id: rovers,
    name: 'rovers FC',
    parent_club: league,
    slug: 'rovers',
    logoURL: '/tenants/logos/rovers.svg',
    figures,
  };
  expect((await api.call(contract.findClub, { clubId: rovers })).body).toEqual({ document });
  expect((await api.call(contract.findClub, { clubId: league })).body.document.parent_club).toBeNull();
});

test("beside the total stand the goal, and only the present month's figure", async () => {
  await api.rows`update clubs set goal_dollars = 5000 where id = ${rovers}`;
  const figures = async (month: string) => {
    await api.rows`update club_figures set month = ${month}, month_cents = 15099 where club_id = ${rovers}`;
    return (await api.call(contract.findClub, { clubId: rovers })).body.document.figures;
  };
  const known = { raisedDollars: 1906, supporters: 214, goalDollars: 5000 };
  expect(await figures('2026-11-01')).toEqual({ ...known, monthDollars: 150 });
  expect(await figures('2026-10-01')).toEqual(known);
});

test('the club of an ended campaign is not offered, and its slug and id show it', async () => {
  await aClub(api.db, { id: endedClubId, slug: 'winter-appeal', name: 'Winter Appeal' });
  const { clubs } = (await api.call(contract.retrieveClubs, {})).body;
  expect(clubs.map(({ name }) => name)).not.toContain('Winter Appeal');
  const ended = { hasEnded: true };
  expect((await api.call(contract.findClubBySlug, { club: 'winter-appeal' })).body).toMatchObject(ended);
  expect((await api.call(contract.findClub, { clubId: endedClubId })).body.document).toMatchObject(ended);
});

test('an unknown club is not found', async () => {
  expect((await api.call(contract.findClubBySlug, { club: 'nobody' })).status).toBe(404);
  for (const clubId of ['not an id', randomUUID()]) {
    const answer = await api.call(contract.findClub, { clubId });
    expect([answer.status, answer.body.error.code]).toEqual([404, 'not-found']);
  }
});
