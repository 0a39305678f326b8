import type { Db } from '#world/database.ts';
import { type IsoDate, sydneyInstant } from '#world/days.ts';
import type { Customer } from './customers.ts';
import type { Line, LineClass, PaymentDetails } from './line.ts';

/** A line added to an account by hand or by a debit, beside those that are worked out. */
export interface Posting {
  id: number;
  line: Line;
  currency: string;
  visibleAt: number;
  postsAt: number;
}

interface Row {
  id: number;
  position: number;
  purchasedOn: IsoDate;
  postedOn: IsoDate;
  visibleAt: number;
  postsAt: number;
  cents: number;
  currency: string;
  class: LineClass;
  description: string;
  details: string | null;
}

const columns = `id, position, purchased_on as purchasedOn, posted_on as postedOn, visible_at as visibleAt,
  posts_at as postsAt, cents, currency, class, description, details`;

function toPosting(row: Row): Posting {
  const { id, position, purchasedOn, postedOn, cents, description, currency, visibleAt, postsAt } = row;
  const line: Line = { key: `added ${id}`, position, purchasedOn, day: postedOn, class: row.class, cents, description };
  const details: PaymentDetails | undefined = row.details === null ? undefined : JSON.parse(row.details);
  return { id, line: details === undefined ? line : { ...line, details }, currency, visibleAt, postsAt };
}

/** In the order of booking. */
export const listPostings = (db: Db, { institution, crn }: Customer, position: number): Posting[] =>
  db
    .all<Row>(
      `select ${columns} from postings where institution = ? and crn = ? and position = ? order by posted_on, id`,
      institution,
      crn,
      position,
    )
    .map(toPosting);

export interface NewPosting {
  position: number;
  purchasedOn: IsoDate;
  postedOn: IsoDate;
  visibleAt: number;
  cents: number;
  currency?: string;
  class: LineClass;
  description: string;
  details?: PaymentDetails;
}

/** Adds a line that is pending until its booking day begins, and booked at once when that day has begun. */
export function addPosting(db: Db, { institution, crn }: Customer, posting: NewPosting): Posting {
  const postsAt = Math.max(posting.visibleAt, sydneyInstant(posting.postedOn));
  const row = db.find<Row>(
    `insert into postings (institution, crn, position, purchased_on, posted_on, visible_at, posts_at, cents, currency,
       class, description, details)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning ${columns}`,
    institution,
    crn,
    posting.position,
    posting.purchasedOn,
    posting.postedOn,
    posting.visibleAt,
    postsAt,
    posting.cents,
    posting.currency ?? 'AUD',
    posting.class,
    posting.description,
    posting.details === undefined ? null : JSON.stringify(posting.details),
  );
  if (row === undefined) throw new Error('The posting was not stored.');
  return toPosting(row);
}
