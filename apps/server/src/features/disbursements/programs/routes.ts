import type { PayoutLine } from '@sparechange/contract/programs';
import * as contract from '@sparechange/contract/programs';
import { noCents } from '@sparechange/domain';
import type { Pool } from '#db/connect.ts';
import { NotFound } from '#errors.ts';
import { minPublishedSupporters } from '#features/beneficiaries/clubs/club-figures.ts';
import { AdviceFacts, findAdvice } from '#features/disbursements/remittance-advice/advice-repository.ts';
import type { ServeForPrograms } from '#http/program-calls.ts';
import type { Clock } from '#ports/clock.ts';
import { clubEnd } from '#tenants/campaign-end.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import {
  findSeenClub,
  findSeenPayout,
  listSeenClubs,
  listSeenPayouts,
  listSeenTotals,
  type Part,
  type SeenClub,
} from './program-repository.ts';
import { updateClub } from './update-club.ts';

/** A cursor is the 16 bytes of the last id, so that every text of its form is one. */
const idOfCursor = (cursor: string): string =>
  Buffer.from(cursor, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
const cursorOf = (id: string): string => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');

/** Reads a page and one more, indicating a next page. */
async function readPage<Item>(
  { cursor, limit }: { cursor?: string | undefined; limit: number },
  read: (part: Part) => Promise<Item[]>,
  idOf: (item: Item) => string,
): Promise<{ items: Item[]; next: string | null }> {
  const found = await read({ after: cursor === undefined ? null : idOfCursor(cursor), limit: limit + 1 });
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next: found.length > limit && last ? cursorOf(idOf(last)) : null };
}

/** Returns the lines of a payout, from its remittance advice. */
function linesOf(facts: AdviceFacts): PayoutLine[] {
  const days = facts.days.map(({ day, supporters, gross, returned, savings, net }) => ({
    kind: 'day' as const,
    day,
    supporters: supporters < minPublishedSupporters ? null : supporters,
    grossCents: gross,
    returnedCents: returned,
    savingsCents: savings,
    netCents: net,
  }));
  const adjustments = facts.adjustments.map(({ kind, day, cents }) => {
    const nothing = { grossCents: noCents, returnedCents: noCents, savingsCents: noCents };
    return { kind, day, supporters: null, ...nothing, netCents: cents };
  });
  return [...days, ...adjustments];
}

const noClub = () => new NotFound('The club');

interface ProgramDeps {
  db: Pool;
  clock: Clock;
  tenants: Tenants;
}

export function programRoutes(serve: ServeForPrograms, { db, clock, tenants }: ProgramDeps): void {
  /** Ends a club also with its last campaign. */
  const present = (club: SeenClub) => ({ ...club, endsOn: clubEnd(tenants.list(), club) });

  serve(contract.listClubs, ({ parentId, ...page }, key) =>
    readPage(
      page,
      async (part) => (await listSeenClubs(db, key, part, parentId ?? null)).map(present),
      ({ id }) => id,
    ),
  );

  serve(contract.getClub, async ({ id }, key) => {
    const club = await findSeenClub(db, key, id);
    if (!club) throw noClub();
    return present(club);
  });

  serve(contract.updateClub, async ({ id, ...changes }, key) => {
    const club = await updateClub({ db, clock }, key, id, changes);
    if (!club) throw noClub();
    return present(club);
  });

  serve(contract.listPayouts, ({ clubId = null, from, to, ...page }, key) => {
    const days = { from: from ?? null, to: to ?? null };
    return readPage(
      page,
      (part) => listSeenPayouts(db, key, part, { clubId, ...days }),
      ({ id }) => id,
    );
  });

  serve(contract.getPayout, async ({ id }, key) => {
    const payout = await findSeenPayout(db, key, id);
    if (!payout) throw new NotFound('The payout');
    const advice = await findAdvice(db, id);
    return { ...payout, lines: advice ? linesOf(AdviceFacts.parse(advice.facts)) : null };
  });

  serve(contract.listTotals, ({ clubId, ...page }, key) =>
    readPage(
      page,
      (part) => listSeenTotals(db, key, part, clubId ?? null),
      (item) => item.clubId,
    ),
  );
}
