import { downloadReceipt, listReceipts, type Receipt } from '@sparechange/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#api/call.ts';
import { saveFile } from '#api/save-file.ts';

export const receiptsQuery = (cdrid: string) =>
  queryOptions({
    queryKey: ['receipts', cdrid],
    queryFn: async () => (await call(listReceipts, { cdrid })).receipts,
  });

/** Saves the receipt, which the first download issues. */
export async function saveReceipt(cdrid: string, { kind, firstDay }: Receipt): Promise<void> {
  const { fileName, pdf } = await call(downloadReceipt, { cdrid, kind, firstDay });
  const bytes = Uint8Array.from(atob(pdf), (letter) => letter.charCodeAt(0));
  saveFile([bytes], { name: fileName, type: 'application/pdf' });
}
