import { notifyDeleted } from '#bank/basiq/connection-routes.ts';
import {
  listConnections,
  listLiveConnections,
  permitUntil,
  setConnectionStatus,
  sharedAccountsOf,
} from '#bank/basiq/connections.ts';
import { consentDays, endConsent, extendConsent, findActiveConsent, listConsents } from '#bank/basiq/consents.ts';
import { startJob } from '#bank/basiq/jobs.ts';
import { findBank, getBank } from '#bank/statements/banks.ts';
import { customerOf, isCrn } from '#bank/statements/customers.ts';
import { balanceOf } from '#bank/statements/ledger.ts';
import type { World } from '#world/world.ts';
import { authorise, decline } from './authorise.ts';
import {
  accountsPage,
  bankPage,
  codePage,
  crnPage,
  extendPage,
  managePage,
  reauthorisePage,
  type Sharing,
} from './pages.ts';
import { newCode, saveVisit, type Visit } from './visits.ts';

export interface Submitted {
  institution?: string | undefined;
  crn?: string | undefined;
  code?: string | undefined;
  account: string[];
  decision?: string | undefined;
  remove?: string | undefined;
  reauthorise?: string | undefined;
}

export interface Outcome {
  visit: Visit;
  error?: string;
}

const dayMs = 86_400_000;
const longDate = new Intl.DateTimeFormat('en-AU', { dateStyle: 'long', timeZone: 'Australia/Sydney' });

/** The page of the step a visit has reached. */
export function show(world: World, visit: Visit, error?: string) {
  const { db, clock } = world;
  const active = findActiveConsent(db, visit.userId);
  const yearFromNow = longDate.format(clock.now() + consentDays * dayMs);
  switch (visit.step) {
    case 'crn':
      return crnPage(visit, error);
    case 'code':
      return codePage(visit, error);
    case 'accounts': {
      const customer = customerOf(visit.institution ?? '', visit.crn ?? '');
      const offered = customer.accounts.map((account) => ({
        account,
        balanceCents: balanceOf({ db, now: clock.now() }, customer, account),
      }));
      const until = active === undefined ? yearFromNow : longDate.format(active.expiresAt);
      return accountsPage(visit, customer, offered, until, error);
    }
    case 'manage':
      return managePage(visit, sharingOf(world, visit.userId), pastOf(world, visit.userId));
    case 'extend':
      return extendPage(visit, longDate.format(active?.expiresAt ?? clock.now()), yearFromNow);
    case 'reauthorise':
      return reauthorisePage(visit, reauthorisable(world, visit.userId));
    default:
      return bankPage(visit);
  }
}

/** Applies a form to the visit, its consent and connections. */
export function submit(world: World, visit: Visit, form: Submitted): Outcome {
  const { db } = world;
  switch (visit.step) {
    case 'bank': {
      const bank = findBank(form.institution ?? '');
      return { visit: bank === undefined ? visit : saveVisit(db, { ...visit, institution: bank.id, step: 'crn' }) };
    }
    case 'crn': {
      const crn = (form.crn ?? '').replaceAll(/\s/g, '');
      if (!isCrn(crn)) return { visit, error: 'That CRN is not right. It has 8 digits.' };
      return { visit: saveVisit(db, { ...visit, crn, code: newCode(), step: 'code' }) };
    }
    case 'code': {
      if ((form.code ?? '').trim() !== visit.code)
        return { visit, error: 'That code is not right. Enter the one your bank has just sent.' };
      return { visit: saveVisit(db, { ...visit, step: 'accounts' }) };
    }
    case 'accounts':
      return decideOnAccounts(world, visit, form);
    case 'manage':
      return { visit: manage(world, visit, form) };
    case 'extend':
      return { visit: extend(world, visit, form) };
    case 'reauthorise':
      return { visit: reauthorise(world, visit, form) };
    case 'done':
      return { visit };
  }
}

function decideOnAccounts(world: World, visit: Visit, { decision, account }: Submitted): Outcome {
  const customer = customerOf(visit.institution ?? '', visit.crn ?? '');
  if (decision === 'cancel') return { visit: decline(world, visit) };
  if (decision !== 'authorise') return { visit };
  const positions = customer.accounts
    .map(({ position }) => position)
    .filter((position) => account.includes(String(position)));
  if (positions.length === 0 && customer.accounts.length > 0)
    return { visit, error: 'Choose at least one account, or cancel.' };
  return { visit: authorise(world, visit, customer, positions) };
}

const done = (world: World, visit: Visit): Visit => saveVisit(world.db, { ...visit, step: 'done' });

function manage(world: World, visit: Visit, { decision, remove }: Submitted): Visit {
  const { db, clock } = world;
  const consent = findActiveConsent(db, visit.userId);
  const connection = listLiveConnections(db, visit.userId).find(({ id }) => id === remove);
  if (connection !== undefined) {
    setConnectionStatus(db, connection.id, 'deleted');
    notifyDeleted(world, connection);
  }
  if (decision === 'revoke' && consent !== undefined) endConsent(world, consent, 'revoked', clock.now());
  return decision === 'close' ? done(world, visit) : visit;
}

function extend(world: World, visit: Visit, { decision }: Submitted): Visit {
  const consent = findActiveConsent(world.db, visit.userId);
  if (decision === 'extend' && consent !== undefined) extendConsent(world, consent, world.clock.now());
  return done(world, visit);
}

/** The bank is asked again, by the same person, for the same accounts; their ids stay as they are. */
function reauthorise(world: World, visit: Visit, { reauthorise: wanted, decision }: Submitted): Visit {
  const { db, clock } = world;
  if (decision === 'close') return done(world, visit);
  const connection = listLiveConnections(db, visit.userId).find(({ id }) => id === wanted);
  if (connection === undefined) return visit;
  const expiresAt = clock.now() + consentDays * dayMs;
  setConnectionStatus(db, connection.id, 'active');
  permitUntil(world, connection.id, expiresAt);
  const job = startJob(world, connection, 'connect', clock.now());
  return done(world, { ...visit, jobIds: [...visit.jobIds, job.id] });
}

function sharingOf({ db }: World, userId: string): Sharing | undefined {
  const consent = findActiveConsent(db, userId);
  if (consent === undefined) return undefined;
  const connections = listConnections(db, userId)
    .filter(({ status }) => status === 'active' || status === 'invalid')
    .map((connection) => ({
      id: connection.id,
      name: getBank(connection.institution).name,
      until: longDate.format(connection.expiresAt),
      accounts: sharedAccountsOf(db, connection).map(({ account }) => account.name),
    }));
  return { since: longDate.format(consent.createdAt), until: longDate.format(consent.expiresAt), connections };
}

const pastOf = ({ db }: World, userId: string): string[] =>
  listConsents(db, userId)
    .filter(({ status }) => status !== 'active')
    .map(
      ({ status, createdAt, updatedAt }) => `${longDate.format(createdAt)}: ${status} on ${longDate.format(updatedAt)}`,
    );

const reauthorisable = ({ db, clock }: World, userId: string) =>
  listLiveConnections(db, userId).map(({ id, institution, expiresAt }) => {
    const isEnding = expiresAt - clock.now() < 7 * dayMs;
    return {
      id,
      name: getBank(institution).name,
      status: isEnding ? 'Expiring soon' : `Authorised until ${longDate.format(expiresAt)}`,
    };
  });
