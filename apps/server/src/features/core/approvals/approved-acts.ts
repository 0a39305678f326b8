import type { CorrectableAccount, HandAccount, Role } from '@sparechange/contract/console';
import type { KeyScope } from '@sparechange/contract/programs';
import type { Cents, IsoDate } from '@sparechange/domain';
import type { Actor } from '#audit/audit-log.ts';
import type { Approval } from './approval-repository.ts';
import type { PeopleNeeded, PeopleRule } from './people-needed.ts';

/** One of an act's arguments, in words. */
export interface ActLine {
  label: string;
  value: string;
  /** Club that the argument names. */
  clubId?: string;
}

/**
 * Carries out an act if one person is enough; otherwise records a request. The summary is for people, without bank
 * data.
 */
export type DoOrAsk<Args, Result = unknown> = (
  actor: Actor,
  args: Args,
  summary: string,
) => Promise<{ result: Result } | { approval: Approval }>;

export interface GrantedRoles {
  personId: string;
  roles: Role[];
  /** Clubs of a treasurer. */
  clubIds: string[];
  /** Roles and clubs that the grant replaces; changes that somebody else has made since are kept. */
  seen?: { roles: Role[]; clubIds: string[] } | undefined;
}

type Booked =
  | { result: 'booked' | 'booked before' | 'another' | 'unknown club' }
  | { result: 'above limit'; limitCents: Cents };

interface ShownKey {
  id: string;
  text: string;
  expiresAt: Date;
}

/**
 * Acts that need two people, for callers that do not know how they are carried out
 * (docs/decisions/approvals.md#acts-for-two-people).
 */
export interface ApprovedActs {
  debitRun: DoOrAsk<{
    date: IsoDate;
    force: boolean;
    confirmed: Cents | null;
    isAfterRestore: boolean;
    upTo?: Date | null | undefined;
  }>;
  resumption: DoOrAsk<{ tenant: string; since: Date; because?: string | undefined }>;
  refund: DoOrAsk<
    {
      supporterId: string;
      debitId: string;
      amount?: Cents | undefined;
      reason: string;
      requestId?: string | undefined;
    },
    { id: string; isNew: boolean; leftCents: Cents }
  >;
  clubWriteOff: DoOrAsk<{ id: string; amount: Cents; reason: string; clubId: string }, Booked>;
  ledgerCorrection: DoOrAsk<
    {
      id: string;
      debit: CorrectableAccount;
      credit: CorrectableAccount;
      amount: Cents;
      reason: string;
      clubId?: string | undefined;
    },
    Booked
  >;
  /** Moves an unmatched bank statement line to an account. */
  lineMatch: DoOrAsk<
    { account: string; lineId: string; to: HandAccount; reason: string },
    'matched' | 'matched before' | 'unknown'
  >;
  /** Creates a key, whose text is shown once, to the person who made it or agreed to it. */
  apiKey: DoOrAsk<{ name: string; scopes: KeyScope[]; clubId?: string | undefined; days: number }, ShownKey>;
  keyRotation: DoOrAsk<{ id: string; days: number; overlapHours: number }, ShownKey>;
  bankDetails: DoOrAsk<{ changeId: string }>;
  /** Asks the organisation even if one of its people would be enough. */
  bankDetailsOfTreasurer: DoOrAsk<{ changeId: string }>;
  roles: DoOrAsk<GrantedRoles>;
  /** Returns the number of people that a dangerous act needs. */
  peopleRule(): Promise<PeopleRule>;
  /** Sets that number: two takes effect immediately, one needs two people's approval. */
  choosePeople(actor: Actor, people: PeopleNeeded): Promise<{ result: unknown } | { approval: Approval }>;
  /**
   * Agrees as a second person and carries the act out; returns undefined if that was done before. A secret shown once
   * is created only while somebody waits for it.
   */
  agree(
    actor: Actor,
    id: string,
    isWaitedFor?: () => boolean,
  ): Promise<{ approval: Approval; result: unknown } | undefined>;
  /** Refuses a requested act and ends work waiting for it. */
  refuse(actor: Actor, id: string): Promise<void>;
  /** Returns an act's arguments in words; bank data is masked, and facts on a silent node are left out. */
  describe(
    approval: Pick<Approval, 'act' | 'arguments'>,
    maySeeSupporters: boolean,
    silentServers?: string[],
  ): Promise<ActLine[]>;
}

/** Presents a request awaiting a second person; null if the act was carried out. */
export const presentAsked = (tried: { approval: Approval } | object) =>
  'approval' in tried ? { id: tried.approval.id, expiresAt: tried.approval.expiresAt.toISOString() } : null;
