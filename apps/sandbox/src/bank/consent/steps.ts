import { randomInt, randomUUID } from 'node:crypto';
import {
  connections,
  deleteConnection,
  listConnections,
  listLiveConnections,
  permitUntil,
  sharedAccountsOf,
} from '#bank/basiq/connections.ts';
import { endConsent, extendConsent, findActiveConsent, listConsents, yearMs } from '#bank/basiq/consents.ts';
import { addDeclinedJob, startJob } from '#bank/basiq/jobs.ts';
import { findBank, getBank } from '#bank/statements/banks.ts';
import { customerOf, isCrn } from '#bank/statements/customers.ts';
import { balanceOf } from '#bank/statements/ledger.ts';
import type { World } from '#world/world.ts';
import {
  accountsPage,
  bankPage,
  codePage,
  crnPage,
  extendPage,
  managePage,
  type Page,
  reauthorisePage,
  type Sharing,
} from './pages.ts';
import { authorise, changeVisit, finishVisit, type Visit } from './visits.ts';

/** The fields of all forms. */
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

interface StepOfVisit {
  page: (world: World, visit: Visit, error: string | undefined) => Page;
  /** Applies the form to the visit, its consent and connections. */
  submit: (world: World, visit: Visit, form: Submitted) => Outcome;
}

const weekMs = 7 * 86_400_000;
const dates = new Intl.DateTimeFormat('en-AU', { dateStyle: 'long', timeZone: 'Australia/Sydney' });
const yearFromNow = ({ clock }: World): string => dates.format(clock.now() + yearMs);
const customerOn = ({ institution, crn }: Visit) => customerOf(institution ?? '', crn ?? '');

const bank: StepOfVisit = {
  page: (_world, visit) => bankPage(visit),
  submit({ db }, visit, form) {
    const chosen = findBank(form.institution ?? '');
    return { visit: chosen ? changeVisit(db, visit, { institution: chosen.id, step: 'crn' }) : visit };
  },
};

const crn: StepOfVisit = {
  page: (_world, visit, error) => crnPage(visit, error),
  submit({ db }, visit, form) {
    const given = (form.crn ?? '').replaceAll(/\s/g, '');
    if (!isCrn(given)) return { visit, error: 'That CRN is not right. It has 8 digits.' };
    const code = String(randomInt(100_000, 1_000_000));
    return { visit: changeVisit(db, visit, { crn: given, code, step: 'code' }) };
  },
};

const code: StepOfVisit = {
  page: (_world, visit, error) => codePage(visit, error),
  submit({ db }, visit, form) {
    if ((form.code ?? '').trim() === visit.code) return { visit: changeVisit(db, visit, { step: 'accounts' }) };
    return { visit, error: 'That code is not right. Enter the one your bank has just sent.' };
  },
};

const accounts: StepOfVisit = {
  page(world, visit, error) {
    const { db, clock } = world;
    const customer = customerOn(visit);
    const offered = customer.accounts.map((account) => ({
      account,
      balanceCents: balanceOf({ db, now: clock.now() }, customer, account),
    }));
    const active = findActiveConsent(db, visit.userId);
    const until = active === undefined ? yearFromNow(world) : dates.format(active.expiresAt);
    return accountsPage(visit, customer, offered, until, error);
  },
  submit(world, visit, { decision, account }) {
    const { db, clock } = world;
    const customer = customerOn(visit);
    if (decision === 'cancel') {
      const { institution, crn } = customer;
      const source = { id: randomUUID(), userId: visit.userId, institution, crn };
      return { visit: finishVisit(db, visit, addDeclinedJob(world, source, clock.now())) };
    }
    if (decision !== 'authorise') return { visit };
    const offered = customer.accounts.map(({ position }) => position);
    const positions = offered.filter((position) => account.includes(String(position)));
    if (positions.length === 0 && offered.length > 0)
      return { visit, error: 'Choose at least one account, or cancel.' };
    return { visit: finishVisit(db, visit, authorise(world, visit.userId, customer, positions)) };
  },
};

const manage: StepOfVisit = {
  page: (world, visit) => managePage(visit, sharingOf(world, visit.userId), pastConsents(world, visit.userId)),
  submit(world, visit, { decision, remove }) {
    const { db, clock } = world;
    const consent = findActiveConsent(db, visit.userId);
    const connection = listLiveConnections(db, visit.userId).find(({ id }) => id === remove);
    if (connection !== undefined) deleteConnection(world, connection);
    if (decision === 'revoke' && consent !== undefined) endConsent(world, consent, 'revoked', clock.now());
    return { visit: decision === 'close' ? finishVisit(db, visit) : visit };
  },
};

const extend: StepOfVisit = {
  page(world, visit) {
    const { db, clock } = world;
    const until = findActiveConsent(db, visit.userId)?.expiresAt ?? clock.now();
    return extendPage(visit, dates.format(until), yearFromNow(world));
  },
  submit(world, visit, { decision }) {
    const consent = findActiveConsent(world.db, visit.userId);
    if (decision === 'extend' && consent !== undefined) extendConsent(world, consent, world.clock.now());
    return { visit: finishVisit(world.db, visit) };
  },
};

/** The bank is asked again, by the same person, for the same accounts; their ids stay as they are. */
const reauthorise: StepOfVisit = {
  page({ db, clock }, visit) {
    const choices = listLiveConnections(db, visit.userId).map(({ id, institution, expiresAt }) => {
      const isEnding = expiresAt - clock.now() < weekMs;
      const status = isEnding ? 'Expiring soon' : `Authorised until ${dates.format(expiresAt)}`;
      return { id, name: getBank(institution).name, status };
    });
    return reauthorisePage(visit, choices);
  },
  submit(world, visit, { reauthorise: wanted, decision }) {
    const { db, clock } = world;
    if (decision === 'close') return { visit: finishVisit(db, visit) };
    const connection = listLiveConnections(db, visit.userId).find(({ id }) => id === wanted);
    if (connection === undefined) return { visit };
    connections.update(db, { id: connection.id }, { status: 'active' });
    permitUntil(world, connection.id, clock.now() + yearMs);
    return { visit: finishVisit(db, visit, startJob(world, connection, 'connect', clock.now())) };
  },
};

const done: StepOfVisit = { page: bank.page, submit: (_world, visit) => ({ visit }) };

export const steps: Record<Visit['step'], StepOfVisit> = {
  bank,
  crn,
  code,
  accounts,
  manage,
  extend,
  reauthorise,
  done,
};

function sharingOf({ db }: World, userId: string): Sharing | undefined {
  const consent = findActiveConsent(db, userId);
  if (consent === undefined) return undefined;
  const shown = listConnections(db, userId)
    .filter(({ status }) => status === 'active' || status === 'invalid')
    .map((connection) => ({
      id: connection.id,
      name: getBank(connection.institution).name,
      until: dates.format(connection.expiresAt),
      accounts: sharedAccountsOf(db, connection).map(({ account }) => account.name),
    }));
  return { since: dates.format(consent.createdAt), until: dates.format(consent.expiresAt), connections: shown };
}

const pastConsents = ({ db }: World, userId: string): string[] =>
  listConsents(db, userId)
    .filter(({ status }) => status !== 'active')
    .map(({ status, createdAt, updatedAt }) => `${dates.format(createdAt)}: ${status} on ${dates.format(updatedAt)}`);
