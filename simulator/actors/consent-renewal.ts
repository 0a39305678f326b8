import * as contract from '@sparechange/contract';
import { addDays, reminderDays, sydneyDay } from '@sparechange/domain';
import { call, type World } from '../world.ts';
import { notePermission, type SupporterActor, yearFrom } from './supporter-actor.ts';

const dayMs = 86_400_000;

/** Skips most of the year of somebody's consent, and of what their bank still permits. */
export async function endSoon(world: World, supporter: SupporterActor): Promise<void> {
  const days = supporter.choices.whole(3, 40);
  await world.external.control('POST', '/consents', { userId: supporter.customerId, action: 'end-in', days });
  supporter.consentUntil = new Date(world.clock.peek().getTime() + days * dayMs);
  if (supporter.permittedUntil && supporter.permittedUntil > world.clock.peek())
    supporter.permittedUntil = supporter.consentUntil;
  world.count('consents that end soon');
}

/** Returns whether the consent or the bank's permission ends in the days of the reminders, or the latter has ended. */
export function isToRenew({ consentUntil, permittedUntil }: SupporterActor, now: Date): boolean {
  const last = addDays(sydneyDay(now), reminderDays[0]);
  return [consentUntil, permittedUntil].some((until) => until !== undefined && sydneyDay(until) <= last);
}

/** Renews as far as the product leads: the consent, then what the bank permits. Now and then they forget the second. */
export async function renew(world: World, supporter: SupporterActor): Promise<void> {
  const isForgetful = supporter.choices.chance(0.3);
  if ((await followLink(world, supporter)) === 'extend' && !isForgetful) await followLink(world, supporter);
}

/** Goes through the pages that the product's link to renew leads to. Returns which they were. */
async function followLink(world: World, supporter: SupporterActor): Promise<string | undefined> {
  const { clock, external } = world;
  const link = await call(world, supporter, contract.renewOwnConsent, { cdrid: supporter.supporterId });
  if (link?.status !== 200) return undefined;
  if (new URL(link.body.consentLink).pathname === '/linked-accounts') {
    const isTracking = [...supporter.tracking.values()].some((history) => history.at(-1)?.value.isOn);
    // After a renewal, or a second connection, both may be far enough ahead already.
    if (isTracking && isToRenew(supporter, clock.peek()))
      world.violation(`${supporter.uid} has something to renew and was answered that there is nothing`);
    return undefined;
  }
  const opened = await world.attempt(({ app }) =>
    app.inject({ method: 'GET', url: new URL(link.body.consentLink).pathname }),
  );
  const consentLink = opened === 'crashed' ? undefined : opened.headers.location;
  if (!consentLink || consentLink === '/launch-consent') return undefined;
  const page = await (await external.fetch(consentLink)).text();
  const visit = /action="([^"]+)"/.exec(page)?.[1];
  const step = /name="step" value="(\w+)"/.exec(page)?.[1];
  const submit = async (form: Record<string, string>) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const action = new URL(visit ?? '', consentLink);
    const { status } = await external.fetch(action, {
      method: 'POST',
      headers,
      body: new URLSearchParams(form),
    });
    if (status !== 303) throw new Error(`The bank answered ${status} to ${JSON.stringify(form)}.`);
  };
  const now = clock.now();
  if (step === 'extend') {
    await submit({ step, decision: 'extend' });
    supporter.consentUntil = yearFrom(now);
    world.count('consents prolonged');
  } else if (step === 'reauthorise') {
    for (const [, reauthorise = ''] of page.matchAll(/name="reauthorise" value="([^"]+)"/g)) {
      await submit({ step, reauthorise });
    }
    world.count(
      supporter.permittedUntil && supporter.permittedUntil < now ? 'permissions renewed late' : 'permissions renewed',
    );
    notePermission(supporter, now);
  } else {
    world.violation(`${supporter.uid} wanted to renew an active consent and was led to ${step ?? page}`);
  }
  return step;
}
