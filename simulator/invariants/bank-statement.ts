import { addDays, type Cents, type IsoDate, parseDollars, type StatementLine, sydneyDay } from '@sparechange/domain';
import { isRounded, mayPayBack, purchaseText } from '@sparechange/domain/model';
import type { SupporterActor } from '../actors/supporter-actor.ts';
import type { World } from '../world.ts';

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
export interface ShownLine {
  /** The account's own number. */
  account: string;
  day: IsoDate;
  cents: Cents;
  text: string;
}

/** Returns the identity of a purchase (docs/rules.md#one-purchase-one-round-up). */
export const identityOf = ({ account, day, cents, text }: ShownLine): string => `${account} ${day} ${cents} ${text}`;

/** All that the rules look at on a supporter's accounts from a day on, read from the bank and not through the product. */
export interface ShownStatement {
  /** Purchases that can be rounded. */
  purchases: ShownLine[];
  /** Credits that may pay a purchase back. */
  credits: ShownLine[];
}

export async function readStatement(
  world: World,
  supporter: SupporterActor,
  since: IsoDate,
  mark: string,
): Promise<ShownStatement> {
  const filter = encodeURIComponent(`transaction.postDate.gteq('${addDays(since, -2)}')`);
  const rows: Row[] = [];
  let path: string | undefined = `/users/${supporter.customerId}/transactions?limit=500&filter=${filter}`;
  while (path !== undefined) {
    const page: Page = await world.external.readBank<Page>(path);
    rows.push(...page.data);
    path = page.links.next?.replace(/^.*\/basiq/, '');
  }
  const shown = (toShown: (row: Row) => ShownLine | undefined) =>
    onceEach(
      world,
      supporter,
      rows.flatMap((row) => toShown(row) ?? []).filter(({ day }) => day >= since),
    );
  return { purchases: await shown((row) => toPurchase(row, mark)), credits: await shown(toCredit) };
}

/** Two connections to one bank show each line twice; keeps those of the connection that shows most. */
async function onceEach({ accountNumbers }: World, supporter: SupporterActor, shown: ShownLine[]) {
  const byIdentity = new Map<string, ShownLine[][]>();
  for (const alike of Map.groupBy(shown, identityOf).values()) {
    const lines = await Promise.all(
      alike.map(async (line) => ({ ...line, account: await accountNumbers.of(supporter, line.account) })),
    );
    const same = lines[0] ? identityOf(lines[0]) : '';
    byIdentity.set(same, [...(byIdentity.get(same) ?? []), lines]);
  }
  return [...byIdentity.values()].flatMap((copies) => copies.sort((one, other) => other.length - one.length)[0] ?? []);
}

function toPurchase(row: Row, mark: string): ShownLine | undefined {
  const line = lineOf(row);
  return line && isRounded(line, mark) ? shownAs(row, line) : undefined;
}

function toCredit(row: Row): ShownLine | undefined {
  const line = lineOf(row);
  return line && mayPayBack(line) ? shownAs(row, line) : undefined;
}

function lineOf(row: Row): StatementLine | undefined {
  const amount = parseDollars(row.amount.replace('-', ''));
  if (row.status !== 'posted' || row.postDate === null || amount === undefined) return undefined;
  return {
    status: 'posted',
    direction: row.direction,
    kind: row.class,
    currency: row.currency,
    amount,
    description: row.description,
    isBillPayment: row.paymentDetails?.bpay !== undefined || row.paymentDetails?.apcaNumber !== undefined,
  };
}

const shownAs = ({ account, postDate }: Row, { amount, description }: StatementLine): ShownLine => ({
  account,
  day: sydneyDay(new Date(postDate ?? '')),
  cents: amount,
  text: purchaseText(description),
});
