import type { Pool } from '#db/connect.ts';
import { inEachBucket } from '#db/in-each-bucket.ts';
import { campaignEnd } from '#features/beneficiaries/clubs/campaigns.ts';
import { supporterPages } from '#features/core/supporter-work/work-repository.ts';
import { queueEmail } from '#features/correspondence/emails/queue-email.ts';
import { type Clock, today } from '#ports/clock.ts';
import { isOver } from '#tenants/campaign-end.ts';
import type { Tenants } from '#tenants/load-tenants.ts';

export interface ReminderDeps {
  db: Pool;
  clock: Clock;
  tenants: Tenants;
}

const dayMs = 86_400_000;
/** Days after registering during which a reminder is still useful; the product may be down for some of them. */
const maxDays = 7;

/** Reminds everybody once who registered at least a day ago and has not finished onboarding. */
export async function remindUnfinished(deps: ReminderDeps, pageSize = 200): Promise<{ remindedUnfinished: number }> {
  const counts = await inEachBucket(deps.db, (db) => remindInBucket({ ...deps, db }, pageSize));
  return { remindedUnfinished: counts.reduce((sum, count) => sum + count, 0) };
}

async function remindInBucket({ db, clock, tenants }: ReminderDeps, pageSize: number): Promise<number> {
  const at = clock.now();
  let reminded = 0;
  for await (const page of supporterPages((after, limit) => listUnfinished(db, at, after, limit), pageSize)) {
    for (const { supporterId, clubName, ...tenantAndClub } of page) {
      if (isOver(await campaignEnd(db, tenants, tenantAndClub), today(clock))) continue;
      const facts = { kind: 'onboarding_reminder', clubName } as const;
      if (await queueEmail(db, { supporterId, key: 'onboarding reminder', facts, at })) reminded += 1;
    }
  }
  return reminded;
}

interface UnfinishedSupporter {
  supporterId: string;
  tenantKey: string;
  clubId: string;
  clubName: string;
}

/** Lists a page of supporters who stopped half-way, except those who have left or want no emails. */
function listUnfinished(db: Pool, now: Date, after: string, limit: number): Promise<UnfinishedSupporter[]> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs);
  return db<UnfinishedSupporter[]>`
    select supporter_id as "supporterId", tenant_key as "tenantKey", club_id as "clubId", clubs.name as "clubName"
    from supporters join clubs on clubs.id = club_id
    where onboarded_on is null and closed_on is null and consent_end is null and debit_notices_enabled
      and registered_at > ${daysAgo(maxDays)} and registered_at <= ${daysAgo(1)} and supporter_id > ${after}
    order by supporter_id limit ${limit}`;
}
