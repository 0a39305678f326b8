import { expect, test } from 'vitest';
import { faultKinds } from './faults/faults.ts';
import { type Case, type Found, shrink } from './shrink.ts';

const everybody = Array.from({ length: 20 }, (_, index) => index + 1);
const whole: Case = { supporters: everybody, days: 60, kinds: faultKinds };

/** A run that shows a violation of supporter 7 where they and some others take part and some things go wrong. */
function playing(day: number, needed: { supporters?: number[]; days?: number; kinds?: readonly string[] }) {
  const played: Case[] = [];
  const play = async (smaller: Case): Promise<Found[]> => {
    played.push(smaller);
    const { supporters = [7], days = day, kinds = [] } = needed;
    const isShown =
      supporters.every((number) => smaller.supporters.includes(number)) &&
      smaller.days >= days &&
      kinds.every((kind) => smaller.kinds.some((each) => each === kind));
    return isShown ? [{ what: `person-0007 debit of ${smaller.days} cents: twice`, onDay: day }] : [];
  };
  return { play, played };
}

const first: Found = { what: 'person-0007 debit of 60 cents: twice', onDay: 21 };

test('a violation of one supporter shrinks to them, to the day it was found and to no fault', async () => {
  const { smallest, isComplete } = await shrink(whole, first, playing(21, {}).play);
  expect(smallest).toEqual({ supporters: [7], days: 21, kinds: [] });
  expect(isComplete).toBe(true);
});

test('the others and the faults that it needs stay', async () => {
  const needed = { supporters: [3, 7, 15], kinds: ['ends', 'notifications'] };
  const { smallest } = await shrink(whole, first, playing(21, needed).play);
  expect(smallest.supporters).toEqual([3, 7, 15]);
  expect(smallest.kinds).toEqual(['ends', 'notifications']);
});

test('a single kind of fault is found alone', async () => {
  const { smallest } = await shrink(whole, first, playing(21, { kinds: ['nights'] }).play);
  expect(smallest.kinds).toEqual(['nights']);
});

test('days that it needs after the one on which it is found stay', async () => {
  const { smallest } = await shrink(whole, first, playing(21, { days: 30 }).play);
  expect(smallest.days).toBe(30);
});

test('another violation does not count, and nothing is left out that was not played', async () => {
  const other = async (): Promise<Found[]> => [{ what: 'a cent is missing', onDay: 2 }];
  expect((await shrink(whole, first, other)).smallest).toEqual(whole);
});

test('it ends after a number of reruns with the smallest of them', async () => {
  const { play, played } = playing(21, { supporters: [3, 7, 15], kinds: ['ends', 'notifications'] });
  const { smallest, reruns, isComplete } = await shrink(whole, first, play, 5);
  expect(played).toHaveLength(5);
  expect(reruns).toBe(5);
  expect(isComplete).toBe(false);
  expect((await play(smallest)).length).toBe(1);
});
