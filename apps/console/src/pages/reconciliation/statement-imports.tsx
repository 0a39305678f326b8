import { listStatementImports, type StatementImport } from '@sparechange/contract/console';
import { gapInWords } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { useAnswer } from '#api/use-answer.ts';
import { Section } from '../../ui/page.tsx';
import { instantInWords } from '../../words.ts';
import { resultInWords } from './import-statement.tsx';
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

/** The last imports, with the progress of those under way. */
export function StatementImports() {
  const { data } = useAnswer(listStatementImports, {});
  if (!data || data.imports.length === 0) return null;
  return (
    <Section title="Last imports">
      <ul className={styles.imports} aria-live="polite">
        {data.imports.map((each) => (
          <li key={each.id}>
            <strong>{each.fileName}</strong>, {instantInWords(each.startedAt)}: {words[each.state](each)}
            {each.total > 0 && (each.state === 'booking' || each.state === 'matching') && (
              <progress value={each.done} max={each.total} aria-label={`Import of ${each.fileName}`} />
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
