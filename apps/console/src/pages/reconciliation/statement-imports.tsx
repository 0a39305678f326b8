import { listStatementImports, type StatementImport, takeBackStatement } from '@sparechange/contract/console';
import { formatCents, gapInWords } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { useAnswer } from '#api/use-answer.ts';
import { useMay } from '#session/use-may.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { OpenRow, Quiet } from '../../ui/cells.tsx';
import { Section } from '../../ui/page.tsx';
import { instantInWords } from '../../words.ts';
import { changedByImport } from './import-statement.tsx';
import styles from './reconciliation.module.css';

/** "12,000 of 100,000 lines read". */
const progressInWords = ({ state, done, total }: StatementImport): string =>
  `${done.toLocaleString('en-AU')} of ${counted(total, 'line')} ${state === 'booking' ? 'read' : 'compared with payments'}`;

/** Sums up an import's outcome in a few words beside the file's name. */
const outcomes: Record<StatementImport['state'], (each: StatementImport) => string> = {
  reading: () => 'Being read',
  booking: progressInWords,
  matching: progressInWords,
  done: ({ result, takeBack }) => {
    if (takeBack === 'done') return 'Taken back';
    return result ? `${counted(result.lines, 'line')}, ${result.added.toLocaleString('en-AU')} new` : '';
  },
  refused: () => 'Nothing imported',
  failed: () => 'Failed',
  cut_off: () => 'Cut off',
};

const again = 'Import the file again: lines that are known are left out.';

const whyItStays: Partial<Record<StatementImport['takeBack'], string>> = {
  matched_by_hand: 'It stays: a line was matched by hand.',
  needed: 'It stays while later statements of the account are imported.',
};

/** Further sentences about an import. */
function restOf({ state, result, problem, takeBack }: StatementImport): string {
  if (state === 'refused') return problem ?? '';
  if (state === 'failed' || state === 'cut_off') return again;
  if (state !== 'done' || !result || takeBack === 'done') return '';
  const { matched, open, gapCents } = result;
  const counts = `${matched.toLocaleString('en-AU')} matched, ${open.toLocaleString('en-AU')} of all statements unmatched.`;
  return [counts, gapCents === 0 ? '' : gapInWords(gapCents), whyItStays[takeBack]].filter(Boolean).join(' ');
}

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
              <p className={styles.import}>
                <strong>{each.fileName}</strong>
                <span>{outcomes[each.state](each)}</span>
              </p>
              {each.total > 0 && (each.state === 'booking' || each.state === 'matching') && (
                <progress value={each.done} max={each.total} aria-label={`Import of ${each.fileName}`} />
              )}
              <Quiet>{[`${instantInWords(each.startedAt)}.`, restOf(each)].filter(Boolean).join(' ')}</Quiet>
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
