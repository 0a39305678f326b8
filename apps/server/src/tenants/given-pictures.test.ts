import { cents } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { givenPictures } from './given-pictures.ts';

const club = { id: '0b6c8f0e-4d1f-8a53-9b3e-2f7a51c9d604', slug: 'rovers' };
const pictures = givenPictures(Buffer.alloc(32, 'key'));

test('the path of a picture names only a club and an amount, and its proof fits no other', () => {
  const path = pictures.path({ key: 'default' }, club, cents(12_847));
  const [, proof = ''] = /^\/share\/default\/club-rovers\.png\?given=12847&proof=([\w-]{43})$/.exec(path) ?? [];
  expect(pictures.isOurs(club.id, '12847', proof)).toBe(true);
  expect(pictures.isOurs(club.id, '12848', proof)).toBe(false);
  expect(pictures.isOurs(club.id, '012847', proof)).toBe(false);
  expect(pictures.isOurs('another-club', '12847', proof)).toBe(false);
  expect(pictures.isOurs(club.id, '12847', '')).toBe(false);
  expect(pictures.isOurs(club.id, '12847', 'é'.repeat(43))).toBe(false);
  expect(givenPictures(Buffer.alloc(32, 'another key')).isOurs(club.id, '12847', proof)).toBe(false);
});
