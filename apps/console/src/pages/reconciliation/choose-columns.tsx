import {
  type ColumnMapping,
  ColumnMeaning,
  type DayForm,
  problemOfMapping,
  type UnknownColumns,
} from '@sparechange/contract/console';
import { ModalActions } from '@sparechange/web/ui/modal.tsx';
import { useRef, useState } from 'react';
import { Select } from '../../ui/filters.tsx';
import styles from './import-statement.module.css';

const names: Record<ColumnMeaning, string> = {
  day: 'Day',
  amount: 'Amount',
  debit: 'Debit',
  credit: 'Credit',
  balance: 'Balance',
  words: 'Description',
  reference: 'Reference',
};

const forms: Record<DayForm, string> = {
  as_written: 'As written',
  day_first: 'Day, month, year',
  month_first: 'Month, day, year',
  year_first: 'Year, month, day',
};

const asksDayForm = 'Please say how the days are written.';

type Meanings = ColumnMapping['columns'];

/** Returns the mapping once it is whole, or what it lacks. */
function mappingOf({ columns }: UnknownColumns, meanings: Meanings, form: DayForm | undefined) {
  const problem = problemOfMapping(meanings);
  const dayForms = columns[meanings.indexOf('day')]?.dayForms ?? [];
  if (problem) return { problem, dayForms };
  if (dayForms.length === 0) return { problem: 'The column of the day has a cell that is no day.', dayForms };
  const days = dayForms.length === 1 ? dayForms[0] : dayForms.find((each) => each === form);
  if (!days) return { problem: asksDayForm, dayForms };
  return { mapping: { columns: meanings, days }, dayForms };
}

interface ChooseColumnsProps {
  of: UnknownColumns;
  onChoose: (mapping: ColumnMapping) => void;
  onCancel: () => void;
}

/** Lists the columns of a CSV file that nobody knows with their first cells, and asks for the meaning of each. */
export function ChooseColumns({ of, onChoose, onCancel }: ChooseColumnsProps) {
  const [meanings, setMeanings] = useState<Meanings>(() => of.columns.map(({ guess }) => guess));
  const [form, setForm] = useState<DayForm>();
  const [isTried, setTried] = useState(false);
  const { problem, mapping, dayForms } = mappingOf(of, meanings, form);
  const dayFormRef = useRef<HTMLSelectElement>(null);
  const go = () => {
    if (mapping) return onChoose(mapping);
    setTried(true);
    if (problem === asksDayForm) dayFormRef.current?.focus(); // on a phone it is out of sight, below the columns
  };
  const example = of.rows[0]?.[meanings.indexOf('day')] ?? '';
  return (
    <>
      <div className={styles.preview}>
        <p className={styles.lead}>
          We don’t know these columns. Say once what each of them is, and the next file like this one won’t ask.
        </p>
        <ul className={styles.columns} aria-label="Columns of the file">
          {of.columns.map(({ name }, at) => {
            const title = name || `Column ${at + 1}`;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is known by its place alone
              <li key={at} data-left-out={meanings[at] === null || undefined}>
                <div className={styles.cells}>
                  <strong>{title}</strong>
                  <span>{cellsOf(of, at)}</span>
                </div>
                <select
                  aria-label={`What is ${name || `column ${at + 1}`}?`}
                  value={meanings[at] ?? ''}
                  onChange={({ target }) => {
                    setTried(true);
                    setMeanings(meanings.with(at, ColumnMeaning.safeParse(target.value).data ?? null));
                  }}
                >
                  <option value="">Leave out</option>
                  {ColumnMeaning.options.map((meaning) => (
                    <option key={meaning} value={meaning}>
                      {names[meaning]}
                    </option>
                  ))}
                </select>
              </li>
            );
          })}
        </ul>
        {dayForms.length > 1 && (
          <Select
            ref={dayFormRef}
            label={`Days such as ${example} are written`}
            all="Please choose"
            value={form ?? ''}
            options={dayForms.map((value) => ({ value, label: forms[value] }))}
            onChange={(chosen) => setForm(dayForms.find((each) => each === chosen))}
          />
        )}
      </div>
      <ModalActions
        {...(problem && { problem: { words: problem, isShown: isTried } })}
        onCancel={onCancel}
        action="Show what’s in it"
        onAction={go}
      />
    </>
  );
}

/** The first different cells of a column, in a line. */
const cellsOf = ({ rows }: UnknownColumns, at: number): string =>
  [...new Set(rows.map((row) => row[at] ?? '').filter(Boolean))].slice(0, cellsShown).join(' · ') || 'Empty';

const cellsShown = 3;
