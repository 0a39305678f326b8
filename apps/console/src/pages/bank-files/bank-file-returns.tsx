import { importReturns, listReturnsFiles, type ReturnsFile } from '@sparechange/contract/console';
import { counted } from '@sparechange/domain/counted';
import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { OpenRow } from '../../ui/cells.tsx';
import { instantColumn } from '../../ui/columns.tsx';
import { type Column, List } from '../../ui/list.tsx';
import { Section } from '../../ui/page.tsx';
import { fileIn, someContent } from '../../ui/read-file.ts';
import styles from '../reconciliation/reconciliation.module.css';
import { changedByFiles } from './bank-file-words.ts';

const columnsFor = (open: (file: ReturnsFile) => void): Column<ReturnsFile>[] => [
  {
    title: 'File',
    text: ({ name }) => name,
    opens: true,
    show: (file) => (file.problems.length > 0 ? <OpenRow onClick={() => open(file)}>{file.name}</OpenRow> : file.name),
  },
  instantColumn('Imported', ({ readAt }) => readAt, { isSecondary: true }),
  { title: 'Returned', text: ({ returned }) => String(returned), isAmount: true },
  { title: 'Not used', text: ({ problems }) => String(problems.length), isAmount: true },
];

/** Lists the imported files of returns, with the lines that could not be used. */
export function Returns() {
  const [opened, setOpened] = useState<ReturnsFile>();
  return (
    <Section title="Returns">
      <List
        name="Returns"
        operation={listReturnsFiles}
        columns={columnsFor(setOpened)}
        empty="No file of returns has been imported yet."
      />
      {opened && (
        <Modal title={opened.name} onClose={() => setOpened(undefined)}>
          <p>{counted(opened.problems.length, 'line')} could not be used:</p>
          <UnusedLines problems={opened.problems} />
          <ModalActions onCancel={() => setOpened(undefined)} cancel="Close" />
        </Modal>
      )}
    </Section>
  );
}

const UnusedLines = ({ problems }: { problems: readonly string[] }) => (
  <ul className={styles.differences}>
    {problems.map((problem) => (
      <li key={problem}>{problem.replace(/^l/, 'L')}</li>
    ))}
  </ul>
);

export const ImportReturns = ({ onClose }: { onClose: () => void }) => (
  <ActDialog
    title="Import returns"
    action="Import"
    act={async (form) => call(importReturns, await fileIn(form, 'content'))}
    changes={changedByFiles}
    after={({ isNew, returned, problems, isSettled }) =>
      isNew ? (
        <>
          <p>
            {counted(returned, 'payment')} returned. {!isSettled && 'Their outcomes are recorded within a few minutes.'}
          </p>
          {problems.length > 0 && (
            <>
              <Notice>{counted(problems.length, 'line')} could not be used:</Notice>
              <UnusedLines problems={problems} />
            </>
          )}
        </>
      ) : (
        <p>This file has already been imported; nothing was changed. It is listed under Returns.</p>
      )
    }
    onClose={onClose}
  >
    {(problem) => (
      <>
        <p>
          The bank's file of returned debits and payouts. Each outcome is recorded right away: a debit is tried again,
          or its supporter is paused and emailed. Importing the same file twice changes nothing.
        </p>
        <TextField label="File" name="content" type="file" required error={problem('content', someContent)} />
      </>
    )}
  </ActDialog>
);
