import { expect, test } from 'vitest';
import { aTenant } from '#testing/makers.ts';
import { clubEnd } from './campaign-end.ts';

const club = { id: 'club', parentId: 'league' };
const own = (endsOn?: string) => aTenant({ key: `own-${endsOn}`, clubID: 'club', ...(endsOn && { endsOn }) });
const ofLeague = (endsOn?: string) =>
  aTenant({ key: `league-${endsOn}`, parentClubId: 'league', ...(endsOn && { endsOn }) });

test.each([
  ['without a campaign of its own a club has no end', [aTenant()], null],
  ['its own campaign ends it', [own('2026-11-25')], '2026-11-25'],
  ['a campaign for the clubs under a parent ends them', [ofLeague('2026-11-25')], '2026-11-25'],
  ['the last of two ends counts', [own('2026-11-25'), ofLeague('2026-12-25')], '2026-12-25'],
  ['one campaign without an end goes on', [own('2026-11-25'), ofLeague()], null],
  ['the default brand keeps no club going', [own('2026-11-25'), aTenant({ clubID: 'club' })], '2026-11-25'],
  ["another club's campaign does not count", [aTenant({ key: 'other', clubID: 'other', endsOn: '2026-11-25' })], null],
])('%s', (_, tenants, end) => expect(clubEnd(tenants, club)).toBe(end));

test('the parent itself ends with the campaign for its clubs', () => {
  expect(clubEnd([ofLeague('2026-11-25')], { id: 'league', parentId: null })).toBe('2026-11-25');
});
