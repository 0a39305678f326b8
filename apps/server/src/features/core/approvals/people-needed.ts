import type { Cents } from '@sparechange/domain';
import { type Actor, actorName, appendOperatorsAct } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { NotAllowed } from '#errors.ts';
import type { Clock } from '#ports/clock.ts';
import { refuseRequestsOf } from './approve.ts';

export type PeopleNeeded = 1 | 2;

/** The act that makes one person enough. */
export const onePersonName = 'one_person';

/** Refuses an act that needs two people; nothing was done. */
export class NeedsSecondPerson extends NotAllowed {
  constructor() {
    super('Another person has to agree to this.');
  }
}

/** Throws NeedsSecondPerson if a sum is above one person's limit. */
export function refuseAbove(limit: Cents | undefined, sum: Cents): void {
  if (limit !== undefined && sum > limit) throw new NeedsSecondPerson();
}

export interface PeopleRule {
  people: PeopleNeeded;
  /** Null until somebody chooses. */
  chosenBy: string | null;
}

/** Returns the number of people that a dangerous act needs: two in production, unless an organisation chose one. */
export async function peopleRule(db: Db, isProduction: boolean): Promise<PeopleRule> {
  const [rule] = await db<PeopleRule[]>`select people, chosen_by as "chosenBy" from approval_rule`;
  return rule ?? { people: isProduction ? 2 : 1, chosenBy: null };
}

/** Says how many people a dangerous act needs, and who chose that. */
export const peopleWords = ({ people, chosenBy }: PeopleRule): string =>
  `${people === 1 ? 'one person is enough' : 'two people are needed'} for dangerous acts, ${chosenBy === null ? 'by default' : `chosen by ${chosenBy}`}`;

/** Sets the number of people and refuses open requests to change it; each change is in the audit log. */
export async function choosePeople(
  { db, clock }: { db: Pool; clock: Clock },
  people: PeopleNeeded,
  actor: Actor,
  alsoRecord: (tx: Db) => Promise<void> = async () => {},
): Promise<void> {
  const by = actorName(actor);
  const at = clock.now();
  await db.begin(async (tx) => {
    await tx`
      insert into approval_rule (people, chosen_by, chosen_at) values (${people}, ${by}, ${at})
      on conflict (is_only) do update set people = excluded.people, chosen_by = excluded.chosen_by, chosen_at = excluded.chosen_at`;
    const action = people === 1 ? 'one person is enough for every act' : 'two people are needed for dangerous acts';
    await appendOperatorsAct(tx, { at, by: actor, action, details: { people } });
    await alsoRecord(tx);
    const because = people === 1 ? 'One person is enough already.' : 'Two people have since been chosen.';
    await refuseRequestsOf(tx, onePersonName, { by: actor, at, because });
  });
}
