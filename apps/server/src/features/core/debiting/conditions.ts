import type { Db } from '#db/connect.ts';

// Conditions that decide who may be debited, and for what. Each is written here and nowhere else; `alias` is the name that the
// statement gives to the row's table.

/** Condition on a pause: it has not ended. */
export const isOpenPause = (db: Db, alias = 'pauses') => db`${db(alias)}.resumed_on is null`;

/** Condition on a row with a supporter: their round-ups are paused now. */
export const isPaused = (db: Db, alias: string) => db`exists (
  select from pauses where pauses.supporter_id = ${db(alias)}.supporter_id and ${isOpenPause(db)})`;

/** Condition on a hold of a supporter's debits: nobody has released it. */
export const isOpenHold = (db: Db, alias = 'debit_holds') => db`${db(alias)}.released_at is null`;

/** Condition on a row with a supporter: an operator holds their debits. */
export const isHeld = (db: Db, alias: string) => db`exists (
  select from debit_holds where debit_holds.supporter_id = ${db(alias)}.supporter_id and ${isOpenHold(db)})`;

/** Condition on a debit: it was sent, the provider has not said what became of it, and nobody has decided yet. */
export const isParked = (db: Db, alias: string) =>
  db`${db(alias)}.state = 'submitting' and ${db(alias)}.parked_at is not null`;

/** Condition on a row with a supporter: they have a parked debit (docs/decisions/direct-debit-requests.md#one-debit-in-doubt). */
export const hasParkedDebit = (db: Db, alias: string) => db`exists (
  select from debits parked where parked.supporter_id = ${db(alias)}.supporter_id and ${isParked(db, 'parked')})`;

/** Condition on an account: no bank has returned a debit of it for good, and no mandate for it was cancelled. */
export const isUsable = (db: Db, alias = 'accounts') => db`${db(alias)}.unusable_since is null`;

/** Condition on an account: debits are taken from it, and can be. */
export const isUsableFunding = (db: Db, alias = 'accounts') => db`(
  ${db(alias)}.is_funding and ${db(alias)}.is_listed and ${isUsable(db, alias)})`;

/** Condition on a mandate: the provider has agreed to it, and nobody has cancelled it. */
export const isInEffect = (db: Db, alias: string) => db`(
  ${db(alias)}.mandate_ref is not null and ${db(alias)}.cancelled_at is null)`;

/** Condition on a debit: no later debit asks for it again, and it was not dropped. */
export const isUncollected = (db: Db, alias = 'debits') => db`(
  ${db(alias)}.represented_by is null and ${db(alias)}.dropped_on is null)`;

/** Condition on a debit: round-ups that were not collected, which the next run asks for again. */
export const isToBeRepresented = (db: Db, alias = 'debits') => db`(
  ${db(alias)}.kind = 'round-up' and ${db(alias)}.state in ('returned', 'refused', 'deferred') and ${isUncollected(db, alias)})`;
