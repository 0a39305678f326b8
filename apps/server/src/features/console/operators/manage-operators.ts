import type { Role } from '@sparechange/contract/console';
import { type Actor, actorName, appendOperatorsAct } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { Conflict, InvalidInput, NotFound } from '#errors.ts';
import { findClubOfRequest, stopChangeOfRequest } from '#features/beneficiaries/bank-details/requests-of-changes.ts';
import type { Approval } from '#features/core/approvals/approval-repository.ts';
import { refuseRequestsOf, withdrawRequests } from '#features/core/approvals/approve.ts';
import { NeedsSecondPerson } from '#features/core/approvals/people-needed.ts';
import type { Clock } from '#ports/clock.ts';
import { forgetLinks, mailLink } from './links.ts';
import {
  countClubs,
  countOwners,
  findOperator,
  forgetSignIn,
  lockOperator,
  lockOwners,
  type OperatorRow,
  saveInvited,
  saveRoles,
  setStatus,
  takeRoles,
} from './operator-repository.ts';
import { endSessionsOf } from './session-repository.ts';

export interface PeopleDeps {
  db: Pool;
  clock: Clock;
}

/** Person who changes another. */
export interface ChangeDeps extends PeopleDeps {
  by: Actor;
  /** Requester, if somebody else agreed. */
  askedBy?: Actor | undefined;
}

/** The act that gives somebody their roles. */
export const rolesName = 'console_roles';

export interface Grant {
  roles: Role[];
  clubIds: string[];
}

export interface NewOperator {
  email: string;
  name: string;
  /** Checked to exist. */
  clubIds: string[];
}

async function refuseUnknownClubs(tx: Db, clubIds: string[]): Promise<void> {
  const isKnown = (await countClubs(tx, clubIds)) === new Set(clubIds).size;
  if (!isKnown) throw new InvalidInput('A club is not known.', { clubIds: 'Not every id is a club' });
}

interface HowAdded {
  /** False if a name and invitation that somebody else has already given must not be replaced unseen. */
  mayBeInvited?: boolean;
}

/**
 * Adds a person without a role; an invited person keeps theirs until the next are granted. Throws Conflict for an
 * active person, and for an invited one unless permitted.
 */
export function addOperator(
  { db }: PeopleDeps,
  { email, name, clubIds }: NewOperator,
  { mayBeInvited = true }: HowAdded = {},
): Promise<string> {
  return db.begin(async (tx) => {
    await refuseUnknownClubs(tx, clubIds);
    const saved = await saveInvited(tx, { email, name });
    if (!saved) throw new Conflict('A person with this address is already here.');
    if (saved.before === 'invited' && !mayBeInvited)
      throw new Conflict(
        'A person with this address has already been invited. Open them in the list to email the invitation again or to change their roles.',
      );
    await forgetSignIn(tx, saved.id);
    if (saved.before === 'removed') await takeRoles(tx, saved.id);
    return saved.id;
  });
}

/** Returns whether somebody with these roles and clubs may request an act, for its club if it has one. */
export type MayAskFor = (act: string, granted: Grant, clubId: string | undefined) => boolean;

const mayAskForNothing: MayAskFor = () => false;

interface HowGranted {
  /** Granted by one person although a second one may have to agree. */
  isOfOnePerson?: boolean | undefined;
  /** Grant that it replaces; any if absent. */
  seen?: Grant | undefined;
  /** Tells which of their requests stay; none does if absent. */
  mayAskFor?: MayAskFor | undefined;
  /** Recorded in the same transaction. */
  alsoRecord?: ((tx: Db) => Promise<void>) | undefined;
}

const wordsOf = ({ roles, clubIds }: Grant): string =>
  [...roles, ...clubIds.map((id) => id.toLowerCase())].sort().join();

/** Returns true if these are the person's roles and clubs. */
const isHeld = ({ roles, clubs }: OperatorRow, grant: Grant): boolean =>
  wordsOf({ roles, clubIds: clubs.map(({ id }) => id) }) === wordsOf(grant);

/** Throws Conflict if a person's roles and clubs are neither as they were seen nor as wanted. */
export function refuseOtherGrant(person: OperatorRow, seen: Grant, wanted: Grant): void {
  if (!isHeld(person, seen) && !isHeld(person, wanted))
    throw new Conflict('Somebody else has changed their roles or clubs. Please check them again.');
}

/**
 * Changes a person's roles, ends their sessions and refuses requests that they may no longer make and other roles
 * awaiting agreement; a person not yet active is emailed an invitation. Throws Conflict if their roles or clubs differ
 * from those seen.
 */
export function setRoles(
  deps: ChangeDeps,
  id: string,
  { roles, clubIds }: Grant,
  { isOfOnePerson = false, seen, mayAskFor = mayAskForNothing, alsoRecord = async () => {} }: HowGranted = {},
): Promise<{ linkId?: string }> {
  return deps.db.begin(async (tx) => {
    if (isOfOnePerson) await keepFirstOwnerSingle(tx, id, roles);
    const staysOwner = roles.includes('owner');
    const owners = staysOwner ? [] : await lockOwners(tx);
    const person = await getPerson(tx, id);
    if (seen) refuseOtherGrant(person, seen, { roles, clubIds });
    if (!staysOwner) keepAnOwner(owners, person);
    await refuseUnknownClubs(tx, clubIds);
    await saveRoles(tx, id, roles, clubIds, actorName(deps.askedBy ?? deps.by));
    await endSessionsOf(tx, id);
    const granted = { roles, clubIds: clubIds.map((club) => club.toLowerCase()) };
    await withdraw(tx, deps, id, 'The person who asked for this may no longer ask for it.', async (approval) =>
      mayAskFor(approval.act, granted, await findClubOfRequest(tx, approval)),
    );
    await alsoRecord(tx);
    if (!isHeld(person, { roles, clubIds }))
      await refuseRolesFor(tx, deps, person.id, 'Their roles or clubs have since been changed.');
    if (person.status !== 'invited') return {};
    const details = { person: id, roles: roles.join(' '), clubs: clubIds.join(' ') };
    await appendOperatorsAct(tx, { at: deps.clock.now(), by: deps.by, action: 'invited to the console', details });
    return { linkId: await mailLink(tx, deps.clock, id, 'invitation') };
  });
}

function withdraw(
  tx: Db,
  { clock, by }: ChangeDeps,
  id: string,
  because: string,
  mayGoOnAskingFor?: (approval: Approval) => Promise<boolean>,
): Promise<void> {
  const at = clock.now();
  return withdrawRequests(tx, {
    asker: { kind: 'console', id },
    by,
    at,
    because,
    ...(mayGoOnAskingFor ? { mayAskFor: mayGoOnAskingFor } : {}),
    stopWhatWaits: stopChangeOfRequest,
  });
}

/** Adds a person with roles without a second person's agreement, as the seed does. */
export async function inviteOperator(deps: PeopleDeps, { roles, ...person }: NewOperator & Grant) {
  const id = await addOperator(deps, person);
  const by: Actor = { kind: 'operating_system', id: 'seed' };
  const { linkId } = await setRoles({ ...deps, by }, id, { roles, clubIds: person.clubIds });
  if (linkId === undefined) throw new Error('An invitation was used before it was mailed.');
  return { id, linkId };
}

/** Roles that move money, or that grant such roles: giving one needs two people. */
const mightyRoles = ['owner', 'finance'] as const;

/** Returns true if a grant adds no such power, or is the organisation's first owner. */
export async function isGrantForOne(db: Db, id: string, { roles }: Pick<Grant, 'roles'>): Promise<boolean> {
  const before = (await findOperator(db, id))?.roles ?? [];
  const isMightier = mightyRoles.some((role) => roles.includes(role) && !before.includes(role));
  return !isMightier || (roles.includes('owner') && (await countOwners(db)) === 0);
}

/**
 * Throws NeedsSecondPerson for an owner if another has become the first one; invitations of a first owner take turns.
 */
async function keepFirstOwnerSingle(tx: Db, id: string, roles: Role[]): Promise<void> {
  if (!roles.includes('owner')) return;
  await tx`select pg_advisory_xact_lock(hashtext('sparechange.first owner'))`;
  if (!(await isGrantForOne(tx, id, { roles }))) throw new NeedsSecondPerson();
}

/** Emails an invitation in place of the previous one; throws Conflict for an active person. */
export function inviteAgain({ db, clock }: PeopleDeps, id: string): Promise<void> {
  return db.begin(async (tx) => {
    const { status, roles } = await getPerson(tx, id);
    if (status !== 'invited') throw new Conflict('Only a person who has not signed in yet can be invited again.');
    if (roles.length === 0) throw new Conflict('A second person has to agree to their role first.');
    await mailLink(tx, clock, id, 'invitation');
  });
}

async function getPerson(tx: Db, id: string): Promise<OperatorRow> {
  const person = await lockOperator(tx, id);
  if (!person || person.status === 'removed') throw new NotFound('The person');
  return person;
}

/**
 * Throws Conflict if no owner but this one could act. Owners are locked before the person, as each other's removals would
 * otherwise wait for one another; a cluster then ends both.
 */
function keepAnOwner(owners: string[], { id, roles, status }: OperatorRow): void {
  if (roles.includes('owner') && status === 'active' && owners.every((owner) => owner === id))
    throw new Conflict('This is the only owner. Make another person an owner first.');
}

/**
 * Removes passkeys and password, ends the sessions, refuses requests made with them, and emails a link to set up a new
 * sign-in.
 */
export function recoverOperator(deps: ChangeDeps, id: string): Promise<{ linkId: string }> {
  return deps.db.begin(async (tx) => {
    await getPerson(tx, id);
    await forgetSignIn(tx, id);
    await endSessionsOf(tx, id);
    await withdraw(tx, deps, id, 'The sign-in of the person who asked for this was recovered; they have to ask again.');
    return { linkId: await mailLink(tx, deps.clock, id, 'recovery') };
  });
}

/** Refuses roles for a person that no second person has agreed to. */
const refuseRolesFor = (tx: Db, { clock, by }: ChangeDeps, personId: string, because: string): Promise<void> =>
  refuseRequestsOf(tx, rolesName, { by, at: clock.now(), because }, { personId });

/** Removes a person, and refuses their requests and pending roles; the row stays, since the audit log names them. */
export function removeOperator(deps: ChangeDeps, id: string): Promise<void> {
  return deps.db.begin(async (tx) => {
    const owners = await lockOwners(tx);
    const person = await getPerson(tx, id);
    keepAnOwner(owners, person);
    await setStatus(tx, id, 'removed');
    await forgetSignIn(tx, id);
    await endSessionsOf(tx, id);
    await forgetLinks(tx, id);
    await withdraw(tx, deps, id, 'The person who asked for this was removed.');
    await refuseRolesFor(tx, deps, person.id, 'The person was removed.');
  });
}
