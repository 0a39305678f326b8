// biome-ignore-all lint/a11y/noRedundantRoles: laid out as a grid on a phone, where browsers forget that it is a table

import { formatCents, historyDate, historyDescription, isoDate, parseDollars } from '@sparechange/domain';
import { type CSSProperties, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '#ui/button.tsx';
import { Skeleton } from '#ui/card.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { SearchIcon } from '#ui/icons.tsx';
import { Money } from '#ui/money.tsx';
import { Notice } from '#ui/notice.tsx';
import { OpenedPart } from '#ui/opened-part.tsx';
import { TextField } from '#ui/text-field.tsx';
import { usePreload } from '#ui/when-idle.ts';
import {
  byMonth,
  chooseLines,
  firstLines,
  type Line,
  type LineChoice,
  type MonthOfLines,
  saysMore,
} from './history-lines.ts';
import styles from './history-table.module.css';
import { notes, roundUpStates } from './line-words.ts';

const loadModal = () => import('./line-modal.tsx');

const rowsAtATime = 100;

interface HistoryTableProps {
  /** Everything, newest first. */
  all: Line[];
  olderLinesLeftOut?: boolean | undefined;
  bankDataDeletedOn: string | null;
}

export function HistoryTable({ all, olderLinesLeftOut = false, bankDataDeletedOn }: HistoryTableProps) {
  const [shown, setShown] = useState(rowsAtATime);
  const [opened, setOpened] = useState<string>();
  const close = () => setOpened(undefined);
  const table = useRef<HTMLTableElement>(null);
  usePreload(loadModal);
  const [choice, setChoice] = useState<LineChoice>({ search: '', showsAll: false });
  const lines = chooseLines(all, choice);
  const showMore = () => {
    flushSync(() => setShown(shown + rowsAtATime));
    table.current?.querySelectorAll('button')[shown]?.focus(); // the first of the new rows: the last "Show more" is gone
  };
  const deletedNote = bankDataDeletedOn && (
    <Notice kind="information">
      <span>
        Your bank data was deleted on <span className={styles.day}>{historyDate(isoDate(bankDataDeletedOn))}</span>.
        Your donations are still counted above.
      </span>
    </Notice>
  );
  if (all.length === 0) {
    return (
      deletedNote || <p className={styles.empty}>No round-ups yet. They appear here a day or so after a purchase.</p>
    );
  }
  return (
    <section className={styles.history} aria-label="Purchases">
      {deletedNote}
      <Choices choice={choice} onChange={setChoice} />
      {lines.some(({ givenCents = 0 }) => givenCents !== 0) && (
        <p className={styles.meaning}>Months go by debit day; totals are your club's share.</p>
      )}
      <p role="status" className={lines.length === 0 ? styles.empty : 'visually-hidden'}>
        {lines.length > 0 ? `${lines.length} found, ${Math.min(shown, lines.length)} shown` : nothingFound(choice)}
      </p>
      {lines.length > 0 && (
        <table className={styles.table} role="table" ref={table}>
          <Head />
          {firstLines(byMonth(lines), shown).map((month) => (
            <Month key={month.name} month={month} onOpen={setOpened} />
          ))}
        </table>
      )}
      {shown < lines.length && (
        <Button look="secondary" onClick={showMore}>
          Show more
        </Button>
      )}
      {olderLinesLeftOut && shown >= lines.length && (
        <p className={styles.empty}>
          Older purchases are not listed here. Download everything held about you to see them.
        </p>
      )}
      {opened !== undefined && <OpenedPart load={loadModal} of={{ lineId: opened, onClose: close }} onFailed={close} />}
    </section>
  );
}

const nothingFound = ({ search, showsAll }: LineChoice): string => {
  if (search.trim() === '') return 'Nothing has counted yet.';
  return showsAll ? 'No purchases match.' : 'No round-ups match.';
};

interface ChoicesProps {
  choice: LineChoice;
  onChange: (choice: LineChoice) => void;
}

const Choices = ({ choice, onChange }: ChoicesProps) => (
  <div className={styles.choices}>
    <TextField
      label="Search"
      type="search"
      autoComplete="off"
      placeholder="Shop or amount"
      leading={
        <span className={styles.lens}>
          <SearchIcon size={20} />
        </span>
      }
      value={choice.search}
      onChange={(event) => onChange({ ...choice, search: event.target.value })}
    />
    <Checkbox
      label="Show purchases that didn't count"
      checked={choice.showsAll}
      onChange={(event) => onChange({ ...choice, showsAll: event.target.checked })}
    />
  </div>
);

interface MonthProps {
  month: MonthOfLines;
  onOpen: (lineId: string) => void;
}

const Month = ({ month: { name, cents, lines }, onOpen }: MonthProps) => (
  <tbody role="rowgroup" style={{ '--lines': lines.length } as CSSProperties}>
    <tr role="row" className={styles.month}>
      <th scope="row" role="rowheader" colSpan={3}>
        {name}
      </th>
      <td role="cell" className={styles.number}>
        <Money amountCents={cents} />
      </td>
    </tr>
    {lines.map((line) => (
      <Row key={line.id} line={line} onOpen={() => onOpen(line.id)} />
    ))}
  </tbody>
);

const Head = () => (
  <thead role="rowgroup">
    <tr role="row">
      <th scope="col" role="columnheader" className={styles.date}>
        Date
      </th>
      <th scope="col" role="columnheader" className={styles.description}>
        Description
      </th>
      <th scope="col" role="columnheader" className={styles.number}>
        Amount
      </th>
      <th scope="col" role="columnheader" className={styles.number}>
        Roundup
      </th>
    </tr>
  </thead>
);

/** Returns notes on the counted amount and its later state. */
const notesOf = ({ why, state }: Line): string[] =>
  [why === null ? undefined : notes[why], roundUpStates[state]].filter((note) => note !== undefined);

function Row({ line, onOpen }: { line: Line; onOpen: () => void }) {
  const { day, name, description, cents, givenCents, isPurchase } = line;
  return (
    <tr role="row">
      <td role="cell" className={styles.date}>
        {historyDate(day)}
      </td>
      <td role="cell" className={styles.description}>
        {isPurchase ? (
          <button type="button" className={styles.open} aria-haspopup="dialog" onClick={onOpen}>
            {name}
          </button>
        ) : (
          <span>{name}</span>
        )}{' '}
        {description !== undefined && (
          // Words are what the bank wrote; eyes need no second look at the same name.
          <span className={`${styles.asAtBank} ${saysMore(description, name) ? '' : 'visually-hidden'}`}>
            {historyDescription(description)}
          </span>
        )}{' '}
        <span className={styles.notes}>
          {notesOf(line).map((note) => (
            <span key={note} className={styles.note}>
              {note}
            </span>
          ))}
        </span>
      </td>
      <td role="cell" className={styles.number}>
        {line.amount !== undefined && <Amount written={line.amount} />}
      </td>
      <td role="cell" className={`${styles.number} ${cents > 0 ? styles.roundUp : styles.nothing}`}>
        <Money amountCents={cents} />
        {givenCents !== undefined && givenCents !== cents && (
          <span className={styles.club}> club {formatCents(givenCents)}</span>
        )}
      </td>
    </tr>
  );
}

function Amount({ written }: { written: string }) {
  const amount = parseDollars(written);
  return amount === undefined ? `$${written}` : <Money amountCents={amount} />;
}

export const HistoryTableSkeleton = () => (
  <div className={styles.history}>
    <Skeleton width="min(100%, 360px)" height={80} />
    <table className={styles.table} aria-busy="true" role="table">
      <Head />
      <tbody role="rowgroup">
        {[60, 42, 74, 50, 66, 38].map((width) => (
          <tr key={width} role="row">
            <td role="cell" className={styles.date}>
              <Skeleton width={56} height={12} />
            </td>
            <td role="cell" className={styles.description}>
              <Skeleton width={`${width}%`} height={12} />
            </td>
            <td role="cell" className={styles.number}>
              <Skeleton width={40} height={12} />
            </td>
            <td role="cell" className={styles.number}>
              <Skeleton width={40} height={12} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
