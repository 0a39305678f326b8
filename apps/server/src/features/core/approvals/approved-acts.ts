import type { Actor } from '#audit/audit-log.ts';
import type { ActLine } from './act-lines.ts';
import type { Approval } from './approval-repository.ts';
import type { Act } from './define-act.ts';
import type { PeopleNeeded, PeopleRule } from './people-needed.ts';

/** An act that was carried out, or the request for a second person. */
export type Tried<Result = unknown> = { result: Result } | { approval: Approval };

/**
 * Carries out an act if one person is enough; otherwise records a request. The summary is for people, without bank
 * data.
 */
export type DoOrAsk<Args, Result = unknown> = (actor: Actor, args: Args, summary: string) => Promise<Tried<Result>>;

/**
 * Acts that need two people, for callers that do not know how they are carried out
 * (docs/decisions/approvals.md#acts-for-two-people).
 */
export type AskedFor<Acts> = {
  [Key in keyof Acts]: Acts[Key] extends Act<string, infer Args, never, infer Result> ? DoOrAsk<Args, Result> : never;
};

/** People's decisions about requests, and the number of people that an act needs. */
export interface Decisions {
  /** Returns the number of people that a dangerous act needs. */
  peopleRule(): Promise<PeopleRule>;
  /** Sets that number: two takes effect immediately, one needs two people's approval. */
  choosePeople(actor: Actor, people: PeopleNeeded): Promise<Tried>;
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
