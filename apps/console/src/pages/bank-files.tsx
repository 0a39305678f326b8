import {
  type BankFile,
  listBankFiles,
  type RetrievedBankFileState,
  retrieveBankFileState,
  type WrittenBankFiles,
  writeBankFiles,
} from '@sparechange/contract/console';
import { formatCents } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { useAnswer } from '#api/use-answer.ts';
import { useFilter } from '#api/use-list.ts';
import { useMay } from '#session/use-may.ts';
import { ActDialog } from '../ui/act-dialog.tsx';
import { OpenRow, Quiet } from '../ui/cells.tsx';
import { amountColumn, instantColumn } from '../ui/columns.tsx';
import { Filters, Select } from '../ui/filters.tsx';
import { type Column, List } from '../ui/list.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Note, PageFrame, Pairs, Section, Tag } from '../ui/page.tsx';
import { instantInWords } from '../words.ts';
import { BankFileDialog } from './bank-files/bank-file-dialog.tsx';
import { ImportReturns, Returns } from './bank-files/bank-file-returns.tsx';
import { changedByFiles, fileStates, ordersInWords, stateDetails, sumInWords } from './bank-files/bank-file-words.ts';
import styles from './reconciliation/reconciliation.module.css';

/** Payment files for the bank, payments waiting for the next ones, and the bank's returns. */
export default function BankFilesPage() {
  const mayAct = useMay(writeBankFiles);
  const [chosen, setChosen] = useState<'write' | 'returns'>();
  const close = () => setChosen(undefined);
  const state = useAnswer(retrieveBankFileState, {});
  const isUsed = state.data ? state.data.lodging !== null : undefined;
  return (
    <PageFrame
      title="Bank files"
      lead="Debits and payouts that go to the bank in files, and what the bank returns."
      actions={
        mayAct &&
        isUsed && (
          <>
            <Button look="secondary" onClick={() => setChosen('returns')}>
              Import returns
            </Button>
            <Button onClick={() => setChosen('write')}>Write files</Button>
          </>
        )
      }
    >
      <Loaded query={state}>
        {(loaded) =>
          loaded.lodging === null ? (
            <p>Payments do not go by bank files here: the payment provider takes them itself.</p>
          ) : (
            <>
              <Waiting state={loaded} mayAct={mayAct} />
              <Files state={loaded} mayAct={mayAct} />
              {mayAct && <Returns />}
              {chosen === 'write' && <WriteFiles waiting={loaded.waiting} onClose={close} />}
              {chosen === 'returns' && <ImportReturns onClose={close} />}
            </>
          )
        }
      </Loaded>
    </PageFrame>
  );
}

/** Says who brings files to the bank, and when. */
function whatToDo({ lodging, nextWriteAt }: RetrievedBankFileState): string {
  if (lodging === 'by_operator')
    return 'Write files after each debit run and on each day of payouts, upload them to the bank, and mark each as lodged once the bank has taken it: what is not marked never clears.';
  const next = nextWriteAt ? `, next on ${instantInWords(nextWriteAt)}` : '';
  return `The bank's software fetches files automatically. They are written whenever payments are settled${next}, and count as lodged from then on.`;
}

const kindNames = { debit: 'Debits', payout: 'Payouts' };

interface StateProps {
  state: RetrievedBankFileState;
  mayAct: boolean;
}

const Waiting = ({ state, mayAct }: StateProps) => (
  <Section title="Waiting for the next file">
    {state.waiting.length > 0 ? (
      <Pairs
        className={styles.amounts}
        rows={state.waiting.map(({ kind, orders, totalCents }) => [
          `${kindNames[kind]}: ${orders.toLocaleString('en-AU')}`,
          formatCents(totalCents),
        ])}
      />
    ) : (
      <p>Nothing waits.</p>
    )}
    {(mayAct || state.lodging === 'when_written') && <Note>{whatToDo(state)}</Note>}
  </Section>
);

const columnsFor = (open: ((file: BankFile) => void) | undefined): Column<BankFile>[] => [
  {
    title: 'File',
    text: ({ id }) => id,
    opens: true,
    show: (file) => (open ? <OpenRow onClick={() => open(file)}>{file.id}</OpenRow> : file.id),
  },
  { title: 'Orders', text: ordersInWords, isSecondary: true },
  instantColumn('Written', ({ writtenAt }) => writtenAt, { isSecondary: true }),
  {
    title: 'State',
    text: (file) => [fileStates[file.state].name, ...stateDetails(file)].join(', '),
    show: (file) => (
      <>
        <Tag tone={fileStates[file.state].tone}>{fileStates[file.state].name}</Tag>
        {stateDetails(file).map((detail) => (
          <Quiet key={detail}>{detail}</Quiet>
        ))}
      </>
    ),
  },
  amountColumn('Total', ({ totalCents }) => totalCents),
];

const stateOptions = Object.entries(fileStates).map(([value, { name }]) => ({ value, label: name }));

function Files({ state, mayAct }: StateProps) {
  const { filter, setFilter } = useFilter('state');
  const [opened, setOpened] = useState<BankFile>();
  return (
    <Section
      title="Files"
      actions={
        <Filters>
          <Select
            label="State"
            all="All files"
            value={filter.state ?? ''}
            options={stateOptions}
            onChange={(chosen) => setFilter('state', chosen)}
          />
        </Filters>
      }
    >
      <List
        name="Bank files"
        operation={listBankFiles}
        filter={filter}
        columns={columnsFor(mayAct ? setOpened : undefined)}
        empty={filter.state ? 'No file is in this state.' : 'No file has been written yet.'}
      />
      {opened && <BankFileDialog file={opened} state={state} onClose={() => setOpened(undefined)} />}
    </Section>
  );
}

/** References listed at most; more of them mean a lost key, and then all are affected. */
const maxNamed = 20;

/** Lists the files that were written, and the orders that no file could take. */
export const Written = ({ files, unreadable }: WrittenBankFiles) => (
  <>
    {files.length === 0 && (
      <p>{unreadable.length > 0 ? 'No file was written.' : 'Nothing waited, so no file was written.'}</p>
    )}
    {files.length > 0 && (
      <ul className={styles.differences}>
        {files.map((file) => (
          <li key={file.name}>
            <strong>{file.name}</strong> <Quiet>{sumInWords(file)}</Quiet>
          </li>
        ))}
      </ul>
    )}
    {unreadable.length > 0 && (
      <Notice>
        {counted(unreadable.length, 'order')} {unreadable.length === 1 ? 'is' : 'are'} in no file, as the account cannot
        be decrypted: {unreadable.slice(0, maxNamed).join(', ')}
        {unreadable.length > maxNamed && ` and ${unreadable.length - maxNamed} more`}. Once the key is configured again,
        the next file takes {unreadable.length === 1 ? 'it' : 'them'}.
      </Notice>
    )}
  </>
);

const WriteFiles = ({
  waiting,
  onClose,
}: Pick<RetrievedBankFileState, 'waiting'> & {
  onClose: () => void;
}) => (
  <ActDialog
    title="Write files"
    action="Write"
    act={() => call(writeBankFiles, {})}
    changes={changedByFiles}
    after={(written) => <Written {...written} />}
    onClose={onClose}
  >
    {() => (
      <p>
        {waiting.length > 0
          ? `What waits is written to files, each payment once, debits and payouts separately: ${waiting.map(sumInWords).join(', ')}.`
          : 'Nothing waits at the moment.'}{' '}
        No money moves before the bank has a file.
      </p>
    )}
  </ActDialog>
);
