import { lastDayOfPeriod, type ReceiptPeriod } from '@sparechange/domain';
import type { Pool } from '#db/connect.ts';
import type { PrintedDocument } from '#documents/document.ts';
import type { DocumentPrinter } from '#documents/document-printer.ts';
import { NotFound } from '#errors.ts';
import { type Clock, today } from '#ports/clock.ts';
import { type Tenants, tenantOrDefault } from '#tenants/load-tenants.ts';
import { composeReceipt } from './compose-receipt.ts';
import { listReceipts } from './list-receipts.ts';
import { receiptDocument } from './receipt-document.ts';
import type { ReceiptFacts } from './receipt-facts.ts';
import {
  findReceipt,
  getReceiptSupporter,
  keepReceipt,
  listGiftClubs,
  listGifts,
  type Receipt,
} from './receipt-repository.ts';

export interface ReceiptDeps {
  db: Pool;
  clock: Clock;
  tenants: Tenants;
  printer: DocumentPrinter;
}

/** Names the file of a receipt or statement. */
export const receiptFileName = ({ kind }: ReceiptPeriod, { number }: Receipt): string =>
  `${kind === 'month' ? 'receipt' : 'statement'}-${number}.pdf`;

/**
 * Returns the receipt of a period: issued on first request, and the same bytes from then on. Concurrent requests get
 * the same one: the second to store its receipt reads the first's.
 */
export async function issueReceipt(deps: ReceiptDeps, supporterId: string, period: ReceiptPeriod): Promise<Receipt> {
  const { db, clock, printer } = deps;
  for (;;) {
    const known = await findReceipt(db, supporterId, period);
    if (known) return known;
    const existing = await listReceipts(db, supporterId);
    if (!existing.some(({ kind, firstDay }) => kind === period.kind && firstDay === period.firstDay)) {
      throw new NotFound('The receipt');
    }
    const { facts, document } = await draft(deps, supporterId, period);
    await keepReceipt(db, supporterId, facts, await printer.print(document), clock.now());
  }
}

async function draft(
  { db, clock, tenants, printer }: ReceiptDeps,
  supporterId: string,
  period: ReceiptPeriod,
): Promise<{ facts: ReceiptFacts; document: PrintedDocument }> {
  const { name: supporter, tenantKey } = await getReceiptSupporter(db, supporterId);
  const tenant = tenantOrDefault(tenants, tenantKey);
  const gifts = await listGifts(db, supporterId, period.firstDay, lastDayOfPeriod(period));
  const clubs = await listGiftClubs(db, [...new Set(gifts.map(({ clubId }) => clubId))]);
  const issuedOn = today(clock);
  const facts = composeReceipt({ supporterId, supporter, issuer: tenant.name, period, issuedOn, gifts, clubs });
  return { facts, document: receiptDocument(facts, await printer.brandOf(tenant), clock.now()) };
}
