import * as contract from '@sparechange/contract';
import { isoDate, periodOf } from '@sparechange/domain';
import type { Serve } from '#http/serve.ts';
import { issueReceipt, type ReceiptDeps, receiptFileName } from './issue-receipt.ts';
import { listReceipts } from './list-receipts.ts';

export function receiptRoutes(serve: Serve, deps: ReceiptDeps): void {
  serve.supporter(contract.listReceipts, async (_input, { supporterId }) => ({
    receipts: await listReceipts(deps.db, supporterId),
  }));

  serve.supporter(contract.downloadReceipt, async ({ kind, firstDay }, { supporterId }) => {
    const period = periodOf(kind, isoDate(firstDay));
    const receipt = await issueReceipt(deps, supporterId, period);
    return {
      number: receipt.number,
      fileName: receiptFileName(period, receipt),
      pdf: Buffer.from(receipt.pdf).toString('base64'),
      sha256: Buffer.from(receipt.sha256).toString('hex'),
    };
  });
}
