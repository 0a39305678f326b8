import type { Role } from '@sparechange/contract/console';
import { appendOperatorsAct } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { Conflict, InvalidInput, NotFound } from '#errors.ts';
import type { Clock } from '#ports/clock.ts';
import { forgetLinks, mailLink } from './links.ts';
import {
  countClubs,
  forgetSignIn,
  lockOperator,
  lockOwners,
  type OperatorRow,
  saveInvited,
  saveRoles,
  setStatus,
} from './operator-repository.ts';
import { endSessionsOf } from './session-repository.ts';

export interface PeopleDeps {
  db: Pool;
  clock: Clock;
}

export interface Grant {
  roles: Role[];
  clubIds: string[];
}

async function refuseUnknownClubs(tx: Db, clubIds: string[]): Promise<void> {
  const isKnown = (await countClubs(tx, clubIds)) === new Set(clubIds).size;
  if (!isKnown) throw new InvalidInput('A club is not known.', { clubIds: 'Not every id is a club' });
}

/** Invites somebody, also once more while they have not come; throws Conflict for one who has. */
export function inviteOperator(
  { db, clock }: PeopleDeps,
  { email, name, roles, clubIds }: Grant & { email: string; name: string },
): Promise<{ id: string; linkId: string }> {
  return db.begin(async (tx) => {
    await refuseUnknownClubs(tx, clubIds);
    const id = await saveInvited(tx, { email, name, roles });
    if (!id) throw new Conflict('Somebody with this address is here already.');
    await forgetSignIn(tx, id);
    await saveRoles(tx, id, roles, clubIds);
    const details = { person: id, roles: roles.join(' '), clubs: clubIds.join(' ') };
    await appendOperatorsAct(tx, { at: clock.now(), action: 'invited to the console', details });
    return { id, linkId: await mailLink(tx, clock, id, 'invitation') };
  });
}

/** Mails another invitation in place of the one before; throws Conflict for somebody who has come. */
export function inviteAgain({ db, clock }: PeopleDeps, id: string): Promise<void> {
  return db.begin(async (tx) => {
    const { status } = await getPerson(tx, id);
    if (status !== 'invited') throw new Conflict('Only somebody who has not come yet can be invited again.');
    await mailLink(tx, clock, id, 'invitation');
  });
}

async function getPerson(tx: Db, id: string): Promise<OperatorRow> {
  const person = await lockOperator(tx, id);
  if (!person || person.status === 'removed') throw new NotFound('The person');
  return person;
}

/** Throws Conflict if no owner but this one could act. */
async function keepAnOwner(tx: Db, { id, roles, status }: OperatorRow): Promise<void> {
  const owners = await lockOwners(tx);
  if (roles.includes('owner') && status === 'active' && owners.every((owner) => owner === id))
    throw new Conflict('This is the only owner. Make somebody else one first.');
}

/** Changes what somebody may do and ends their sessions. */
export function setRoles({ db }: PeopleDeps, id: string, { roles, clubIds }: Grant): Promise<void> {
  return db.begin(async (tx) => {
    const person = await getPerson(tx, id);
    if (!roles.includes('owner')) await keepAnOwner(tx, person);
    await refuseUnknownClubs(tx, clubIds);
    await saveRoles(tx, id, roles, clubIds);
    await endSessionsOf(tx, id);
  });
}

/** Takes away passkeys and password, ends the sessions, and mails a link to begin anew. */
export function recoverOperator({ db, clock }: PeopleDeps, id: string): Promise<{ linkId: string }> {
  return db.begin(async (tx) => {
    await getPerson(tx, id);
    await forgetSignIn(tx, id);
    await endSessionsOf(tx, id);
    return { linkId: await mailLink(tx, clock, id, 'recovery') };
  });
}

/** Removes somebody; the row stays, since the audit log names them. */
export function removeOperator({ db }: PeopleDeps, id: string): Promise<void> {
  return db.begin(async (tx) => {
    const person = await getPerson(tx, id);
    await keepAnOwner(tx, person);
    await setStatus(tx, id, 'removed');
    await forgetSignIn(tx, id);
    await endSessionsOf(tx, id);
    await forgetLinks(tx, id);
  });
}
