import * as contract from '@sparechange/contract';
import type { Play } from '../play.ts';
import { call, type World } from '../world.ts';
import type { SupporterActor } from './supporter-actor.ts';

/** Accounts of strangers that no supporter's session stands by, by the bank link's ids, with whose customer they are under. */
export type ForwardedAccounts = Map<string, SupporterActor>;

/** Somebody forwards their link to the bank, another opens it and shares what is theirs: it must link nothing. */
export async function forwardLink({ world }: Play, isCalm: boolean): Promise<void> {
  const isToday = world.operators.chance(0.06);
  const ready = world.supporters.filter(({ stage, hasConsent }) => stage === 'ready' && hasConsent);
  const owner = ready[world.operators.whole(0, Math.max(0, ready.length - 1))];
  const others = ready.filter((other) => other !== owner);
  const opener = others[world.operators.whole(0, Math.max(0, others.length - 1))];
  const isFirst = world.forwarded.size === 0;
  if (isCalm || !owner || !opener || !(isToday || isFirst)) return;
  const link = await call(world, owner, contract.consent, { cdrid: owner.supporterId });
  if (link?.status !== 200) return;
  const nonce = await openLink(world, link.body.consentLink);
  if (!nonce) return;
  const jobId = await shareAsStranger(world, owner);
  for (const cdrid of [opener.supporterId, owner.supporterId]) {
    const answer = await call(world, opener, contract.confirmConnection, { cdrid, nonce, jobIds: [jobId] });
    if (answer?.status === 200) world.violation(`${opener.uid} confirmed a link of ${owner.uid}`);
  }
  if (await openLink(world, link.body.consentLink)) world.violation(`a link of ${owner.uid} opened twice`);
  world.count('forwarded links opened by somebody else');
}

/** Opens a link as a browser does; returns the nonce, or undefined where it leads to no bank. */
export async function openLink(world: World, link: string): Promise<string | undefined> {
  const opened = await world.attempt(({ app }) => app.inject({ method: 'GET', url: new URL(link).pathname }));
  const target = opened === 'crashed' ? '' : String(opened.headers.location ?? '');
  const state = URL.canParse(target) ? new URL(target).searchParams.get('state') : null;
  return contract.readBankState(state)?.nonce;
}

/** At the bank the stranger signs in as themselves; what they share hangs under the owner's customer there. */
async function shareAsStranger(world: World, owner: SupporterActor): Promise<string> {
  const { external, forwarded, clock } = world;
  const before = await listAccounts(world, owner);
  const stranger = { crn: String(60_000_000 + forwarded.size * 7), institution: owner.institution };
  const shared = { userId: owner.customerId, ...stranger };
  const { jobId } = await external.control<{ jobId: string }>('POST', '/connections', shared);
  clock.moveTo(new Date(clock.peek().getTime() + 5_000));
  await external.catchUp();
  for (const id of await listAccounts(world, owner)) if (!before.has(id)) forwarded.set(id, owner);
  return jobId;
}

async function listAccounts({ external }: World, { customerId }: SupporterActor): Promise<Set<string>> {
  const { data } = await external.readBank<{ data: { id: string }[] }>(`/users/${customerId}/accounts`);
  return new Set(data.map(({ id }) => id));
}

/** Looks at every day's end: nobody has an account that came by a forwarded link. */
export async function checkForwardedLinks({ everybody, forwarded, violation }: World): Promise<void> {
  if (forwarded.size === 0) return;
  const linked = await everybody<{ id: string }[]>`
    select provider_account_id as id from shown_accounts where provider_account_id = any(${[...forwarded.keys()]})`;
  for (const { id } of linked)
    violation(`${forwarded.get(id)?.uid} has the account of somebody who opened a forwarded link`);
}
