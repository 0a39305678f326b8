import { PaymentKind, type PaymentSort, PaymentState } from '@sparechange/contract/console';
import type { Cents } from '@sparechange/domain';
import type { Part } from '#db/compose.ts';
import type { Db } from '#db/connect.ts';
import { unknownPage } from '#errors.ts';
import { uuidForm } from '#uuid.ts';

/** An order of rows that an index of each table has, read from either end. */
export type RowOrder = 'planned' | '-planned' | 'amount' | '-amount';

/** A payment's place in every order. */
export interface Position {
  plannedAt: Date;
  id: string;
  amountCents: Cents;
}

/** Orders rows of one table. Of equal amounts the newest come first, or the oldest where the largest do. */
export function orderBy(db: Db, order: RowOrder): Part {
  switch (order) {
    case 'planned':
      return db`order by planned_at, id`;
    case '-planned':
      return db`order by planned_at desc, id desc`;
    case 'amount':
      return db`order by amount_cents, planned_at desc, id desc`;
    case '-amount':
      return db`order by amount_cents desc, planned_at, id`;
  }
}

/** Condition that a row comes after a position, for an index of the order; nothing on the first page. */
export function isAfter(db: Db, { order, after }: { order: RowOrder; after?: Position | undefined }): Part {
  if (!after) return db``;
  const { plannedAt, id, amountCents } = after;
  const isLater = db`(planned_at, id) > (${plannedAt}, ${id}::uuid)`;
  const isEarlier = db`(planned_at, id) < (${plannedAt}, ${id}::uuid)`;
  switch (order) {
    case 'planned':
      return db`and ${isLater}`;
    case '-planned':
      return db`and ${isEarlier}`;
    case 'amount':
      return db`and amount_cents >= ${amountCents} and (amount_cents > ${amountCents} or ${isEarlier})`;
    case '-amount':
      return db`and amount_cents <= ${amountCents} and (amount_cents < ${amountCents} or ${isLater})`;
  }
}

const byPlanning = (one: Position, other: Position): number =>
  one.plannedAt.getTime() - other.plannedAt.getTime() || (one.id > other.id ? 1 : -1);
const byAmount = (one: Position, other: Position): number =>
  one.amountCents - other.amountCents || byPlanning(other, one);

/** Compares payments of several tables in the order of each. */
export function inOrder(order: RowOrder): (one: Position, other: Position) => number {
  const compare = order.endsWith('planned') ? byPlanning : byAmount;
  return order.startsWith('-') ? (one, other) => compare(other, one) : compare;
}

/** Payments listed one group after the other; all of them, or those of a kind or state. */
export type Group = { kind?: PaymentKind; state?: PaymentState };

interface Sorted {
  order: RowOrder;
  groups: Group[];
}

/** Reads a sort: kinds and states follow one another as they are declared, each with the newest first. */
export function readSort(sort: PaymentSort): Sorted {
  const newest = (groups: Group[]): Sorted => ({
    order: '-planned',
    groups: sort.startsWith('-') ? groups.toReversed() : groups,
  });
  switch (sort) {
    case 'kind':
    case '-kind':
      return newest(PaymentKind.options.map((kind) => ({ kind })));
    case 'state':
    case '-state':
      return newest(PaymentState.options.map((state) => ({ state })));
    default:
      return { order: sort, groups: [{}] };
  }
}

const cursorForm = new RegExp(`^(\\d{1,2}) (\\d{13}) (\\d{1,15}) (${uuidForm})$`);

/** A place in a sorted list: a group's number, and the last payment that was listed of it. */
export interface Cursor {
  group: number;
  after: Position;
}

/** Writes a cursor. */
export const writeCursor = ({ group, after: { plannedAt, amountCents, id } }: Cursor): string =>
  `${group} ${plannedAt.getTime()} ${amountCents} ${id}`;

/** Reads a cursor. Throws InvalidInput if it is none. */
export function readCursor(text: string): Cursor {
  const [, group, instant, amount, id] = cursorForm.exec(text) ?? [];
  if (id === undefined) throw unknownPage();
  const after = { plannedAt: new Date(Number(instant)), amountCents: Number(amount) as Cents, id };
  return { group: Number(group), after };
}
