import * as contract from '@sparechange/contract';
import { isoDate, periodOf } from '@sparechange/domain';
import type { Serve } from '#http/serve.ts';
import { issueReceipt, type ReceiptDeps } from './issue-receipt.ts';
import { listReceipts } from './list-receipts.ts';

export function receiptRoutes(serve: Serve, deps: ReceiptDeps): void {
  serve.supporter(contract.listReceipts, async (_input, { supporterId }) => ({
    receipts: await listReceipts(deps.db, supporterId),
  }));

  serve.supporter(contract.downloadReceipt, async ({ kind, firstDay }, { supporterId }) => {
    const period = periodOf(kind, isoDate(firstDay));
    const { number, pdf, sha256 } = await issueReceipt(deps, supporterId, period);
    return {
      number,
      fileName: `${kind === 'month' ? 'receipt' : 'statement'}-${number}.pdf`,
      pdf: Buffer.from(pdf).toString('base64'),
      sha256: Buffer.from(sha256).toString('hex'),
    };
  });
}
