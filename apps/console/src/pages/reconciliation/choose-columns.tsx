import {
  type ColumnMapping,
  ColumnMeaning,
  type DayForm,
  problemOfMapping,
  type UnknownColumns,
} from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { FormError } from '@sparechange/web/ui/notice.tsx';
import { useState } from 'react';
import { Select } from '../../ui/filters.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import styles from './import-statement.module.css';

const names: Record<ColumnMeaning, string> = {
  day: 'Day',
  amount: 'Amount',
  debit: 'Debit',
  credit: 'Credit',
  balance: 'Balance',
  words: 'Words',
  reference: 'Reference',
};

const forms: Record<DayForm, string> = {
  as_written: 'As written',
  day_first: 'Day, month, year',
  month_first: 'Month, day, year',
  year_first: 'Year, month, day',
};

type Meanings = ColumnMapping['columns'];

/** Returns the mapping once it is whole, or what it lacks. */
function mappingOf({ columns }: UnknownColumns, meanings: Meanings, form: DayForm | undefined) {
  const problem = problemOfMapping(meanings);
  const dayForms = columns[meanings.indexOf('day')]?.dayForms ?? [];
  if (problem) return { problem, dayForms };
  if (dayForms.length === 0) return { problem: 'The column of the day has a cell that is no day.', dayForms };
  const days = dayForms.length === 1 ? dayForms[0] : dayForms.find((each) => each === form);
  if (!days) return { problem: 'Please say how the days are written.', dayForms };
  return { mapping: { columns: meanings, days }, dayForms };
}

/** Gives each item a key, as columns and rows of a file may be alike. */
const keyed = <Item,>(items: readonly Item[]) => items.map((item, at) => ({ item, at, key: `${at}` }));

interface ChooseColumnsProps {
  of: UnknownColumns;
  onChoose: (mapping: ColumnMapping) => void;
}

/** Shows the first lines of a CSV file whose columns nobody knows, with a choice above each column. */
export function ChooseColumns({ of, onChoose }: ChooseColumnsProps) {
  const [meanings, setMeanings] = useState<Meanings>(() => of.columns.map(({ guess }) => guess));
  const [form, setForm] = useState<DayForm>();
  const choose = (nextMeanings: Meanings, nextForm: DayForm | undefined) => {
    setMeanings(nextMeanings);
    setForm(nextForm);
  };
  const { problem, mapping, dayForms } = mappingOf(of, meanings, form);
  const example = of.rows[0]?.[meanings.indexOf('day')] ?? '';
  return (
    <div className={styles.preview}>
      <p className={styles.lead}>
        We don’t know these columns. Say once what each of them is, and the next file like this one won’t ask.
      </p>
      <ScrollRegion name="First lines" className={styles.columns}>
        <table>
          <thead>
            <tr>
              {keyed(of.columns).map(({ item: { name }, at, key }) => (
                <th key={key} scope="col">
                  <span>{name || `Column ${at + 1}`}</span>
                  <select
                    aria-label={`What is ${name || `column ${at + 1}`}?`}
                    value={meanings[at] ?? ''}
                    data-left-out={meanings[at] === null || undefined}
                    onChange={({ target }) => {
                      const { data = null } = ColumnMeaning.safeParse(target.value);
                      choose(meanings.with(at, data), form);
                    }}
                  >
                    <option value="">Leave out</option>
                    {ColumnMeaning.options.map((meaning) => (
                      <option key={meaning} value={meaning}>
                        {names[meaning]}
                      </option>
                    ))}
                  </select>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {keyed(of.rows).map(({ item: row, key: keyOfRow }) => (
              <tr key={keyOfRow}>
                {keyed(row).map(({ item: cell, at, key }) => (
                  <td key={key} data-left-out={meanings[at] === null || undefined}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {dayForms.length > 1 && (
        <Select
          label={`Days such as ${example} are written`}
          all="Please choose"
          value={form ?? ''}
          options={dayForms.map((value) => ({ value, label: forms[value] }))}
          onChange={(chosen) =>
            choose(
              meanings,
              dayForms.find((each) => each === chosen),
            )
          }
        />
      )}
      {problem && <FormError>{problem}</FormError>}
      <Ready mapping={mapping} onChoose={onChoose} />
    </div>
  );
}

const Ready = ({
  mapping,
  onChoose,
}: { mapping: ColumnMapping | undefined } & Pick<ChooseColumnsProps, 'onChoose'>) => (
  <p>
    <Button look="secondary" disabled={!mapping} onClick={() => mapping && onChoose(mapping)}>
      Show what’s in it
    </Button>
  </p>
);
