import {
  type ImportedStatement,
  importStatement,
  listLedgerAccounts,
  listStatementImports,
  listStatementLines,
  type PreviewedStatement,
  previewStatement,
  retrieveDay,
  retrieveTrustBalance,
} from '@sparechange/contract/console';
import { gapInWords } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { problemOf, sentenceOf } from '#api/call-problem.ts';
import { readAgain } from '#api/query-client.ts';
import { Failure } from '../../ui/failure.tsx';
import { Loading } from '../../ui/page.tsx';
import { packedFile } from '../../ui/read-file.ts';
import { ChooseAccount } from './choose-account.tsx';
import { ChooseColumns } from './choose-columns.tsx';
import styles from './import-statement.module.css';
import { AccountOfFile, type Answers, StatementPreview } from './statement-preview.tsx';

/** Answers that an import changes. */
export const changedByImport = [
  listStatementLines,
  listStatementImports,
  retrieveDay,
  retrieveTrustBalance,
  listLedgerAccounts,
];

export const resultInWords = ({ lines, added, matched, open }: ImportedStatement): string =>
  `${counted(lines, 'line')} read, ${added.toLocaleString('en-AU')} of them new. ${counted(matched, 'line')} matched now; ${counted(open, 'line')} of all statements unmatched.`;

type Outcome = Awaited<ReturnType<typeof call<typeof importStatement>>>;

const Done = ({ outcome }: { outcome: Outcome }) =>
  'underWay' in outcome ? (
    <p>The file is large, so the import continues in the background. This page shows its progress and result.</p>
  ) : (
    <>
      <p>{resultInWords(outcome)}</p>
      {outcome.gapCents !== 0 && <Notice>{gapInWords(outcome.gapCents)}</Notice>}
    </>
  );

const importInWords = ({ added }: PreviewedStatement): string =>
  added === 0 ? 'Nothing to import' : `Import ${counted(added, 'line')}`;

interface ImportStatementProps {
  file: File | undefined;
  onFile: (file: File | undefined) => void;
  onClose: () => void;
}

/** Shows what a statement's file would change, and imports it. */
export const ImportStatement = ({ file, onFile, onClose }: ImportStatementProps) => (
  <Modal title="Import a bank statement" onClose={onClose} className={file && styles.wide}>
    {file ? (
      <ChosenFile
        key={`${file.name} ${file.lastModified} ${file.size}`}
        file={file}
        onFile={onFile}
        onClose={onClose}
      />
    ) : (
      <ChooseFile onFile={onFile} onClose={onClose} />
    )}
  </Modal>
);

const ChooseFile = ({ onFile, onClose }: Omit<ImportStatementProps, 'file'>) => (
  <>
    <p className={styles.lead}>
      Whole days, as your bank exports them: CSV, camt.053, MT940, OFX or BAI2. You see what is in the file before
      anything is booked. You can also drop it anywhere on this page.
    </p>
    <TextField
      label="File"
      type="file"
      accept=".csv,.txt,.xml,.sta,.940,.mt940,.ofx,.qfx,.bai,.bai2,.nai,text/csv,text/xml"
      onChange={({ target }) => onFile(target.files?.[0])}
    />
    <ModalActions onCancel={onClose} />
  </>
);

function ChosenFile({ file, onFile, onClose }: ImportStatementProps & { file: File }) {
  const [answers, setAnswers] = useState<Answers>({});
  const answer = (more: Answers) => setAnswers((before) => ({ ...before, ...more }));
  const preview = useQuery({
    queryKey: [previewStatement.name, file.name, file.lastModified, file.size, answers],
    queryFn: async () => call(previewStatement, { ...(await packedFile(file)), ...answers }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  });
  const importing = useMutation({
    mutationFn: async () => call(importStatement, { ...(await packedFile(file)), ...answers }),
    onSuccess: () => void readAgain(changedByImport),
    onError: (problem) => {
      if (sentenceOf(problem)) void readAgain(changedByImport);
    },
  });
  if (importing.data)
    return (
      <>
        <Done outcome={importing.data} />
        <ModalActions onCancel={onClose} cancel="Close" />
      </>
    );
  const { error } = preview;
  const unknown = preview.data && 'unknown' in preview.data ? preview.data.unknown : undefined;
  const accounts = preview.data && 'accounts' in preview.data ? preview.data.accounts : undefined;
  const data = preview.data && 'format' in preview.data ? preview.data : undefined;
  const accountProblem = problemOf(error ?? importing.error, 'account');
  const isAnswered = data && !error && !preview.isPlaceholderData && !data.question && data.added > 0;
  return (
    <>
      <p className={styles.file} data-keeps-open={importing.isPending || undefined}>
        <strong>{file.name}</strong>
        <button type="button" className={styles.another} onClick={() => onFile(undefined)}>
          Choose another file
        </button>
      </p>
      {preview.isPending && <Loading />}
      {error && !accountProblem && <Refused of={error} />}
      {unknown && !error && (
        <ChooseColumns
          of={unknown}
          onChoose={(mapping) => answer({ mapping, asksColumns: undefined })}
          onCancel={onClose}
        />
      )}
      {accounts && !error && <ChooseAccount of={accounts} onChoose={(accountInFile) => answer({ accountInFile })} />}
      {data?.isMapped && !error && (
        <p className={styles.file}>
          The columns are read as you chose them.
          <button
            type="button"
            className={styles.another}
            onClick={() => answer({ mapping: undefined, asksColumns: true })}
          >
            Choose the columns again
          </button>
        </p>
      )}
      {data && !error && <StatementPreview of={data} answers={answers} onAnswer={answer} />}
      {(data || accountProblem) && (
        <AccountOfFile
          problem={accountProblem}
          isOpen={accountProblem !== undefined}
          answers={answers}
          onAnswer={answer}
        />
      )}
      <Failure of={importing.error} otherwise="The file can no longer be imported like this. Choose it again." />
      {(!unknown || error) && (
        <ModalActions
          onCancel={onClose}
          {...(data && !error && { action: importInWords(data), onAction: () => importing.mutate() })}
          isBusy={importing.isPending}
          isUnavailable={!isAnswered}
        />
      )}
    </>
  );
}

const Refused = ({ of }: { of: Error }) => <Failure of={of} otherwise="The file cannot be imported." />;
