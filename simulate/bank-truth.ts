import {
  addDays,
  cents,
  cleanedText,
  type IsoDate,
  parseDollars,
  reasonNotRounded,
  sydneyDay,
} from '@sparechange/domain';
import type { Outside } from './outside.ts';
import type { Person } from './person.ts';

/** A line of a statement as the bank link shows it, in its own words. */
interface Row {
  id: string;
  status: string;
  direction: 'debit' | 'credit';
  class: string;
  currency: string;
  amount: string;
  description: string;
  account: string;
  postDate: string | null;
  paymentDetails?: { bpay?: object; apcaNumber?: string };
}

interface Page {
  data: Row[];
  links: { next?: string };
}

/** A purchase that the rules round, as the bank shows it now. */
export interface ShownPurchase {
  account: string;
  day: IsoDate;
  cents: number;
  text: string;
}

/** What makes two purchases the same one (design 7.1). */
export const sameness = ({ account, day, cents, text }: ShownPurchase): string => `${account} ${day} ${cents} ${text}`;

/** Every purchase on all accounts from a day on that can be rounded, read from the bank and not through the product. */
export async function readPurchases(outside: Outside, person: Person, since: IsoDate, mark: string) {
  const { customerId } = person;
  const filter = encodeURIComponent(`transaction.postDate.gteq('${addDays(since, -2)}')`);
  const shown: ShownPurchase[] = [];
  let path: string | undefined = `/users/${customerId}/transactions?limit=500&filter=${filter}`;
  while (path !== undefined) {
    const page: Page = await outside.readBank<Page>(path);
    for (const row of page.data) {
      const purchase = toPurchase(row, mark);
      if (purchase && purchase.day >= since) shown.push(purchase);
    }
    path = page.links.next?.replace(/^.*\/basiq/, '');
  }
  return shown;
}

function toPurchase(row: Row, mark: string): ShownPurchase | undefined {
  const amount = parseDollars(row.amount.replace('-', ''));
  if (row.status !== 'posted' || row.postDate === null || amount === undefined) return undefined;
  const line = {
    status: 'posted',
    direction: row.direction,
    kind: row.class,
    currency: row.currency,
    amount: cents(amount),
    description: row.description,
    isBillPayment: row.paymentDetails?.bpay !== undefined || row.paymentDetails?.apcaNumber !== undefined,
  } as const;
  if (reasonNotRounded(line, mark)) return undefined;
  const day = sydneyDay(new Date(row.postDate));
  return { account: row.account, day, cents: amount, text: cleanedText(row.description) };
}
