// biome-ignore-all lint/a11y/noRedundantRoles: laid out as a grid on a phone, where browsers forget that it is a table

import type { OutputOf, RoundUpHistoryItem, retrieveHistory } from '@sparechange/contract';
import { historyDate, historyDescription, isoDate, merchantName, parseDollars } from '@sparechange/domain';
import { type CSSProperties, lazy, Suspense, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '#ui/button.tsx';
import { Skeleton } from '#ui/card.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { SearchIcon } from '#ui/icons.tsx';
import { Money } from '#ui/money.tsx';
import { Notice } from '#ui/notice.tsx';
import { TextField } from '#ui/text-field.tsx';
import { usePreload } from '#ui/when-idle.ts';
import { byMonth, chooseLines, firstLines, type LineChoice, type MonthOfLines } from './history-lines.ts';
import styles from './history-table.module.css';
import { notes, roundUpStates } from './line-words.ts';

const loadModal = () => import('./line-modal.tsx');
const LineModal = lazy(loadModal);

const rowsAtATime = 100;

export function HistoryTable({
  roundUphistory,
  olderLinesLeftOut = false,
  bankDataDeletedOn,
}: OutputOf<typeof retrieveHistory>) {
  const [shown, setShown] = useState(rowsAtATime);
  const [opened, setOpened] = useState<string>();
  const table = useRef<HTMLTableElement>(null);
  usePreload(loadModal);
  const [choice, setChoice] = useState<LineChoice>({ search: '', showsAll: false });
  const items = chooseLines(roundUphistory, choice);
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
  if (roundUphistory.length === 0) {
    return (
      deletedNote || <p className={styles.empty}>No round-ups yet. They appear here a day or so after a purchase.</p>
    );
  }
  return (
    <section className={styles.history} aria-label="Purchases">
      {deletedNote}
      <Choices choice={choice} onChange={setChoice} />
      <p role="status" className={items.length === 0 ? styles.empty : 'visually-hidden'}>
        {items.length > 0 ? `${items.length} found, ${Math.min(shown, items.length)} shown` : nothingFound(choice)}
      </p>
      {items.length > 0 && (
        <table className={styles.table} role="table" ref={table}>
          <Head />
          {firstLines(byMonth(items), shown).map((month) => (
            <Month key={month.name} month={month} onOpen={setOpened} />
          ))}
        </table>
      )}
      {shown < items.length && (
        <Button look="secondary" onClick={showMore}>
          Show more
        </Button>
      )}
      {olderLinesLeftOut && shown >= items.length && (
        <p className={styles.empty}>
          Older purchases are not listed here. Download everything held about you to see them.
        </p>
      )}
      {opened !== undefined && (
        <Suspense>
          <LineModal lineId={opened} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
    </section>
  );
}

const nothingFound = ({ search, showsAll }: LineChoice): string => {
  if (search.trim() === '') return 'Nothing has counted yet.';
  return showsAll ? 'No purchases match.' : 'No counted purchases match.';
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
      label="Also show what did not count"
      checked={choice.showsAll}
      onChange={(event) => onChange({ ...choice, showsAll: event.target.checked })}
    />
  </div>
);

interface MonthProps {
  month: MonthOfLines;
  onOpen: (lineId: string) => void;
}

const Month = ({ month: { name, cents, items }, onOpen }: MonthProps) => (
  <tbody role="rowgroup" style={{ '--lines': items.length } as CSSProperties}>
    <tr role="row" className={styles.month}>
      <th scope="row" role="rowheader" colSpan={3}>
        {name}
      </th>
      <td role="cell" className={styles.number}>
        <Money amountCents={cents} />
      </td>
    </tr>
    {items.map((item) => (
      <Row key={item.lineId} item={item} onOpen={() => onOpen(item.lineId)} />
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
const notesOf = ({ why, state }: RoundUpHistoryItem): string[] =>
  [why === null ? undefined : notes[why], roundUpStates[state]].filter((note) => note !== undefined);

function Row({ item, onOpen }: { item: RoundUpHistoryItem; onOpen: () => void }) {
  const amount = parseDollars(item.amount);
  return (
    <tr role="row">
      <td role="cell" className={styles.date}>
        {historyDate(isoDate(item.createdDate))}
      </td>
      <td role="cell" className={styles.description}>
        <button type="button" className={styles.open} aria-haspopup="dialog" onClick={onOpen}>
          {merchantName(item.description)}
        </button>{' '}
        <span className={styles.asAtBank}>{historyDescription(item.description)}</span>{' '}
        {notesOf(item).map((note) => (
          <span key={note} className={styles.note}>
            {note}
          </span>
        ))}
      </td>
      <td role="cell" className={styles.number}>
        {amount === undefined ? `$${item.amount}` : <Money amountCents={amount} />}
      </td>
      <td role="cell" className={`${styles.number} ${item.debitAmountCents > 0 ? styles.roundUp : styles.nothing}`}>
        <Money amountCents={item.debitAmountCents} />
      </td>
    </tr>
  );
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
