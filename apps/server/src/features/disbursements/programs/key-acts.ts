import { createApiKey, rotateApiKey, scopesInWords } from '@sparechange/contract/console';
import { KeyScope } from '@sparechange/contract/programs';
import { counted } from '@sparechange/domain/counted';
import { z } from 'zod';
import { Unavailable } from '#errors.ts';
import { clubWords } from '#features/beneficiaries/clubs/club-words.ts';
import type { RecordEnd } from '#features/core/approvals/approve.ts';
import type { HowCarriedOut } from '#features/core/approvals/carry-out.ts';
import { defineAct } from '#features/core/approvals/define-act.ts';
import { findKey } from './key-repository.ts';
import { createKey, isValidKey, type KeyDeps, rotateKey, rotationName } from './keys.ts';

/** Records the end of an act whose result is shown once, unless nobody would see it: then nothing is made. */
const recordSeenEnd =
  ({ recordEnd, isWaitedFor }: HowCarriedOut): RecordEnd =>
  async (tx) => {
    await recordEnd?.(tx);
    if (isWaitedFor?.() === false)
      throw new Unavailable('It took so long that nobody would have seen the secret, so it was not made.');
  };

/** Creates a key, whose text is shown once, to the person who made it or agreed to it. */
export const apiKey = defineAct({
  name: 'api_key',
  arguments: z.object({
    name: z.string(),
    scopes: KeyScope.array(),
    clubId: z.string().optional(),
    days: z.number(),
  }),
  askedBy: [createApiKey],
  isDecidedByFinance: false,
  carryOut: (deps: KeyDeps, request, by, how) => createKey(deps, request, by, recordSeenEnd(how)),
  isForOne: async (_deps, { scopes }) => !scopes.includes('write_clubs'),
  describe: async (looking, { name, scopes, clubId, days }) => ({
    Name: name,
    May: scopesInWords(scopes),
    For: (await clubWords(looking, clubId)) ?? 'all clubs',
    'Valid for': counted(days, 'day'),
  }),
});

/** Another secret of a key that writes is a key that writes; for a key that has ended it is refused immediately. */
export const keyRotation = defineAct({
  name: rotationName,
  arguments: z.object({ id: z.string(), days: z.number(), overlapHours: z.number() }),
  askedBy: [rotateApiKey],
  isDecidedByFinance: false,
  carryOut: (deps: KeyDeps, request, by, how) => rotateKey(deps, request, by, recordSeenEnd(how)),
  isForOne: async ({ db, clock }, { id }) => {
    const key = await findKey(db, id);
    return !key || !isValidKey(key, clock.now()) || !key.scopes.includes('write_clubs');
  },
  describe: async (looking, { id, days, overlapHours }) => {
    const key = await findKey(looking.db, id);
    return {
      Key: key ? `${key.name} (${id})` : `not known (${id})`,
      May: key && scopesInWords(key.scopes),
      For: key && ((await clubWords(looking, key.clubId ?? undefined)) ?? 'all clubs'),
      'Valid for': counted(days, 'day'),
      'The old secret': `valid for ${counted(overlapHours, 'hour')} more`,
    };
  },
});
