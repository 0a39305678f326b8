import { listStatementImports, type StatementImport, takeBackStatement } from '@sparechange/contract/console';
import { formatCents, gapInWords } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { useAnswer } from '#api/use-answer.ts';
import { useMay } from '#session/use-may.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { OpenRow } from '../../ui/cells.tsx';
import { Section } from '../../ui/page.tsx';
import { instantInWords } from '../../words.ts';
import { changedByImport, resultInWords } from './import-statement.tsx';
import styles from './reconciliation.module.css';

/** "12,000 of 100,000 lines read". */
const progressInWords = ({ state, done, total }: StatementImport): string =>
  `${done.toLocaleString('en-AU')} of ${counted(total, 'line')} ${state === 'booking' ? 'read' : 'compared with payments'}.`;

const words: Record<StatementImport['state'], (each: StatementImport) => string> = {
  reading: () => 'The file is being read.',
  booking: progressInWords,
  matching: progressInWords,
  done: ({ result }) =>
    result ? [resultInWords(result), result.gapCents === 0 ? '' : gapInWords(result.gapCents)].join(' ').trim() : '',
  refused: ({ problem }) => `Nothing was imported. ${problem ?? ''}`,
  failed: () => 'It failed. Import the file again: lines that are known are left out.',
  cut_off: () => 'It was cut off. Import the file again: lines that are known are left out.',
};

const whyItStays: Partial<Record<StatementImport['takeBack'], string>> = {
  done: 'Taken back.',
  matched_by_hand: 'It stays: a line was matched by hand.',
  needed: 'It stays while later statements of the account are imported.',
};

/** The last imports, with the progress of those under way. */
export function StatementImports() {
  const { data } = useAnswer(listStatementImports, {});
  const mayTakeBack = useMay(takeBackStatement);
  const [chosen, setChosen] = useState<StatementImport>();
  if (!data || data.imports.length === 0) return null;
  return (
    <Section title="Last imports">
      <ul className={styles.imports} aria-live="polite">
        {data.imports.map((each) => (
          <li key={each.id}>
            <div>
              <strong>{each.fileName}</strong>, {instantInWords(each.startedAt)}: {words[each.state](each)}{' '}
              {each.state === 'done' && whyItStays[each.takeBack]}
              {each.total > 0 && (each.state === 'booking' || each.state === 'matching') && (
                <progress value={each.done} max={each.total} aria-label={`Import of ${each.fileName}`} />
              )}
            </div>
            {mayTakeBack && each.state === 'done' && each.takeBack === 'possible' && (
              <OpenRow label={`Undo the import of ${each.fileName}`} onClick={() => setChosen(each)}>
                Undo
              </OpenRow>
            )}
          </li>
        ))}
      </ul>
      {chosen?.result?.statementId && (
        <TakeBack import={chosen} statementId={chosen.result.statementId} onClose={() => setChosen(undefined)} />
      )}
    </Section>
  );
}

const TakeBack = ({
  import: { fileName, isFetched },
  statementId,
  onClose,
}: {
  import: StatementImport;
  statementId: string;
  onClose: () => void;
}) => (
  <ActDialog
    title="Undo this import"
    action="Undo import"
    isDangerous
    act={() => call(takeBackStatement, { statementId })}
    changes={changedByImport}
    after={({ lines, cents }) => (
      <p>
        {counted(lines, 'line')} taken back, {formatCents(cents)} in all.
      </p>
    )}
    onClose={onClose}
  >
    {() => (
      <p>
        The lines of {fileName} go, and so do their matches and bookings. Lines that another file has too stay.{' '}
        {isFetched ? 'The next night fetches that day again.' : 'You can import the file again at any time.'}
      </p>
    )}
  </ActDialog>
);
