import { inEachBucket } from '@sparechange/server/db/in-each-bucket.ts';
import type { SupporterActor } from '../actors/supporter-actor.ts';
import type { World } from '../world.ts';

/** Ends the direct debit at the supporter's bank, without a notice to the product. */
export async function cancelMandate(world: World, { email }: SupporterActor): Promise<void> {
  const { cancelled } = await world.external.control<{ cancelled: string[] }>('POST', '/agreements/cancel', {
    email,
  });
  world.count('mandates cancelled at the bank', cancelled.length);
}

/** Some mandates allow little, so that what waits after an outage is above the ceiling. */
const lowCeiling = 40_00;

export async function lowerCeilings(world: World): Promise<void> {
  const ids = world.supporters.filter(({ number }) => number % 3 === 0).map(({ supporterId }) => supporterId);
  await inEachBucket(
    world.admin,
    (bucket) => bucket`
      update mandates set ceiling_cents = ${lowCeiling}
      where supporter_id = any(${ids}) and ceiling_cents > ${lowCeiling}`,
  );
}

/** Looks at every day's end: no debit is above its ceiling, and no mandate that is gone is asked for on two days. */
export async function checkMandates(world: World): Promise<void> {
  const above = await world.everybody<{ id: string }[]>`
    select debit.id from debits debit join mandates mandate
      on mandate.supporter_id = debit.supporter_id and mandate.id = debit.mandate_id
    where debit.kind = 'round-up' and debit.planned_at > mandate.agreed_at + interval '2 days'
      and debit.amount_cents > mandate.ceiling_cents`;
  for (const { id } of above) world.violation(`debit ${id} is above the ceiling of its mandate`);
  const again = await world.everybody<{ id: string }[]>`
    select mandate_id as id from debits where refusal_cause = 'mandate_cancelled'
    group by mandate_id having count(distinct (submitting_at at time zone 'Australia/Sydney')::date) > 1`;
  for (const { id } of again) world.violation(`the mandate ${id} was gone and was asked for on two days`);
  const doubled = await world.everybody<{ id: string }[]>`
    select supporter_id as id from mails where facts ->> 'kind' = 'mandate_cancelled'
    group by supporter_id having count(*) > (
      select count(*) from mandates mandate
      where mandate.supporter_id = mails.supporter_id and cancelled_at is not null)`;
  for (const { id } of doubled) world.violation(`${id} was emailed more than once about a mandate that ended`);
}
