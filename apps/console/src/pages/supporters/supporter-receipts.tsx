import {
  downloadSupporterReceipt,
  listSupporterReceipts,
  retrieveTimeline,
  type SupporterReceipt,
} from '@sparechange/contract/console';
import { isoDate, periodInWords } from '@sparechange/domain';
import { Button } from '@sparechange/web/ui/button.tsx';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { readAgain } from '#api/query-client.ts';
import { useAnswer } from '#api/use-answer.ts';
import { OpenRow } from '../../ui/cells.tsx';
import { amountColumn } from '../../ui/columns.tsx';
import { Failure } from '../../ui/failure.tsx';
import { type Column, Table } from '../../ui/list.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Note, Section } from '../../ui/page.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { SaveRows } from '../../ui/save-rows.tsx';

const shownAtFirst = 6;

const periodOf = ({ kind, firstDay }: SupporterReceipt): string => periodInWords({ kind, firstDay: isoDate(firstDay) });

const columns: Column<SupporterReceipt>[] = [
  { title: 'Period', text: periodOf },
  { title: 'Number', text: ({ number }) => number ?? 'Not issued yet', isSecondary: true },
  amountColumn('Given', ({ totalCents }) => totalCents),
];

const columnsWithFile = (save: (receipt: SupporterReceipt) => void): Column<SupporterReceipt>[] => [
  ...columns,
  {
    title: 'File',
    text: () => 'PDF',
    show: (receipt) => (
      <OpenRow label={`PDF of ${periodOf(receipt)}`} onClick={() => save(receipt)}>
        PDF
      </OpenRow>
    ),
  },
];

/** A supporter's monthly receipts and yearly statements, to save on behalf of people who cannot sign in. */
export function SupporterReceipts({ supporterId }: { supporterId: string }) {
  const [isAll, setAll] = useState(false);
  const listed = useAnswer(listSupporterReceipts, { supporterId });
  const save = useMutation({
    mutationFn: async ({ kind, firstDay }: SupporterReceipt) =>
      saveFile(await call(downloadSupporterReceipt, { supporterId, kind, firstDay })),
    onSuccess: () => readAgain([listSupporterReceipts, retrieveTimeline]),
  });
  return (
    <Section title="Receipts">
      <Loaded query={listed}>
        {({ receipts }) =>
          receipts.length === 0 ? (
            <Note>None yet: there is a receipt once a month with a cleared debit is over.</Note>
          ) : (
            <>
              <Table
                name="Receipts"
                columns={columnsWithFile((receipt) => !save.isPending && save.mutate(receipt))}
                rows={isAll ? receipts : receipts.slice(0, shownAtFirst)}
                keyOf={({ kind, firstDay }) => `${kind} ${firstDay}`}
              />
              {!isAll && receipts.length > shownAtFirst && (
                <Button look="secondary" onClick={() => setAll(true)}>
                  Show all {receipts.length}
                </Button>
              )}
              <SaveRows name="Receipts" columns={columns} rows={receipts} />
            </>
          )
        }
      </Loaded>
      {save.isPending && <p role="status">The file is being made.</p>}
      <Failure of={save.error} />
    </Section>
  );
}
