import type { CorrectableAccount, HandAccount, Role } from '@sparechange/contract/console';
import type { KeyScope } from '@sparechange/contract/programs';
import type { Cents, IsoDate } from '@sparechange/domain';
import type { Actor } from '#audit/audit-log.ts';
import type { Approval } from './approval-repository.ts';
import type { PeopleNeeded, PeopleRule } from './people-needed.ts';

/** A part of what an act is carried out with, in words. */
export interface ActLine {
  label: string;
  value: string;
  /** The club that it names. */
  clubId?: string;
}

/** Carries an act out where one person is enough; else records that it was asked for. The summary is for people, without bank data. */
export type DoOrAsk<Args, Result = unknown> = (
  actor: Actor,
  args: Args,
  summary: string,
) => Promise<{ result: Result } | { approval: Approval }>;

export interface GrantedRoles {
  personId: string;
  roles: Role[];
  /** Of a treasurer. */
  clubIds: string[];
  /** Roles and clubs in whose place they come; others that somebody else gave meanwhile are not replaced. */
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

/** Acts that need two people, for callers that do not know how they are carried out (docs/decisions/approvals.md#acts-for-two-people). */
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
  /** The key's text is shown once, to whoever made it or agreed. */
  apiKey: DoOrAsk<{ name: string; scopes: KeyScope[]; clubId?: string | undefined; days: number }, ShownKey>;
  keyRotation: DoOrAsk<{ id: string; days: number; overlapHours: number }, ShownKey>;
  bankDetails: DoOrAsk<{ changeId: string }>;
  /** Asks the organisation, also where one of its people is enough. */
  bankDetailsOfTreasurer: DoOrAsk<{ changeId: string }>;
  roles: DoOrAsk<GrantedRoles>;
  /** Returns how many people a dangerous act needs. */
  peopleRule(): Promise<PeopleRule>;
  /** Sets it: two at once, one only as an act that needs two. */
  choosePeople(actor: Actor, people: PeopleNeeded): Promise<{ result: unknown } | { approval: Approval }>;
  /**
   * Agrees as a second person and carries the act out; returns undefined where that was done before. What is shown once is
   * made only while somebody waits for it.
   */
  agree(
    actor: Actor,
    id: string,
    isWaitedFor?: () => boolean,
  ): Promise<{ approval: Approval; result: unknown } | undefined>;
  /** Refuses an act that was asked for, and ends what waits for it. */
  refuse(actor: Actor, id: string): Promise<void>;
  /** Returns what an act is carried out with, in words; bank data is masked, and what is on a silent node left out. */
  describe(
    approval: Pick<Approval, 'act' | 'arguments'>,
    maySeeSupporters: boolean,
    silentServers?: string[],
  ): Promise<ActLine[]>;
}

/** Presents what waits for a second person; null where the act was done. */
export const presentAsked = (tried: { approval: Approval } | object) =>
  'approval' in tried ? { id: tried.approval.id, expiresAt: tried.approval.expiresAt.toISOString() } : null;
