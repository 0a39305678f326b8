import { Button } from '@sparechange/web/ui/button.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { type ReactNode, useState } from 'react';
import { type ListOperation, useList } from '#api/use-list.ts';
import { type RowsAct, RowsDialog, Selected } from './act-on-rows.tsx';
import { ExportList } from './export-list.tsx';
import { Failure } from './failure.tsx';
import styles from './list.module.css';
import { Loading } from './page.tsx';
import { RefusedFilter } from './refused-filter.tsx';
import { ScrollRegion } from './scroll-region.tsx';
import { directionOf, SortHead, type Sorting } from './sort-head.tsx';
import { type Selection, useSelection } from './use-selection.ts';

/** A column of a list, as shown and as exported. */
export interface Column<Row> {
  title: string;
  show?: (row: Row) => ReactNode;
  text: (row: Row) => string;
  /** Left out on a phone. */
  isSecondary?: boolean;
  /** Pressing anywhere in the row presses the link or button that this column shows. */
  opens?: boolean;
  /** Set at the right, where figures of amounts line up. */
  isAmount?: boolean;
  /** Stays in one line where there is room. */
  isWhole?: boolean;
  /** Its name where the server sorts by it; with a minus, the first press puts the largest or last first. */
  sort?: string;
}

interface ListProps<Row> {
  /** Names the table and the exported file. */
  name: string;
  operation: ListOperation<Row>;
  filter?: Record<string, string>;
  columns: readonly Column<Row>[];
  /** Groups rows that are shown as one; an export has each of them. */
  together?: (rows: readonly Row[]) => readonly Row[];
  sorting?: Sorting;
  /** Offered for rows that somebody selects. */
  act?: RowsAct<Row> | undefined;
  /** Stands above the table: counts and sums of the filter. */
  summary?: ReactNode;
  /** Shown where nothing is found. */
  empty: ReactNode;
}

const leftOut = (servers: string[]): string =>
  `The database server ${servers.join(', ')} does not answer; this list leaves out its supporters.`;

/** A table of a server-paged list, with its export, and with an act on the rows that are selected. */
export function List<Row extends { id: string }>(props: ListProps<Row>) {
  const { act } = props;
  const [asked, setAsked] = useState<readonly Row[]>();
  const [acts, setActs] = useState(0);
  return (
    <>
      <Rows key={acts} {...props} onAct={setAsked} />
      {act && asked && (
        // Beside the rows: they may leave the list while each is acted on.
        <RowsDialog
          act={act}
          rows={asked}
          onClose={(isDone) => {
            setAsked(undefined);
            if (isDone) setActs(acts + 1);
          }}
        />
      )}
    </>
  );
}

/** The rows of a list, with what stands above and below them. */
function Rows<Row extends { id: string }>(props: ListProps<Row> & { onAct: (rows: readonly Row[]) => void }) {
  const { name, operation, columns, together, sorting, act, summary, empty, onAct } = props;
  const filter = props.filter ?? {};
  const sorted = sorting ? { ...filter, sort: sorting.by } : filter;
  const list = useList<Row>(operation, sorted);
  const rows = list.rows && (together?.(list.rows) ?? list.rows);
  const selection = useSelection(rows ?? [], act);
  const problem = list.error && (
    <RefusedFilter of={list.error} filter={filter}>
      <Failure of={list.error} otherwise="The filter is not as it should be." again={list.refetch} />
    </RefusedFilter>
  );
  if (!rows) return problem || <Loading />;
  const isEmpty = rows.length === 0;
  if (isEmpty && !problem && list.silentServers.length === 0) return <p className={styles.empty}>{empty}</p>;
  const ticked = selection?.ticked ?? [];
  return (
    <div className={styles.list} aria-busy={list.isPlaceholderData}>
      {problem}
      {list.silentServers.length > 0 && <Notice>{leftOut(list.silentServers)}</Notice>}
      <div className={styles.above}>
        {act && ticked.length > 0 ? (
          <Selected
            count={ticked.length}
            action={act.action}
            onAct={() => onAct(ticked)}
            onClear={() => selection?.tickAll(false)}
          />
        ) : (
          <div className={styles.summary}>{summary}</div>
        )}
        <ExportList name={name} operation={operation} filter={sorted} columns={columns} />
      </div>
      {isEmpty ? (
        <p className={styles.empty}>{empty}</p>
      ) : (
        <Table
          name={name}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          sorting={sorting}
          selection={selection}
        />
      )}
      {list.hasNextPage && (
        <div className={styles.foot}>
          <Button look="secondary" isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}

/** Opens a row that is pressed anywhere, keeping held keys; text being selected is left alone. */
function pressOpener(event: MouseEvent): void {
  const { target, ctrlKey, metaKey, shiftKey } = event;
  if (!(target instanceof Element) || target.closest('a, button, input, label, summary')) return;
  if (getSelection()?.isCollapsed === false) return;
  const opener = target.closest('tr')?.querySelector('[data-opens] :is(a, button)');
  opener?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}

/** Listens to the rows of a table; the keyboard has the openers themselves. */
function pressOpeners(rows: HTMLTableSectionElement) {
  rows.addEventListener('click', pressOpener);
  return () => rows.removeEventListener('click', pressOpener);
}

interface TableProps<Row> {
  name: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row, place: number) => string;
  sorting?: Sorting | undefined;
  selection?: Selection<Row> | undefined;
}

/** Rows under their columns, scrolled where they are too wide. */
export function Table<Row>({ name, columns, rows, keyOf, sorting, selection }: TableProps<Row>) {
  return (
    <ScrollRegion name={name} className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className={styles.tick}>
                <Tick
                  label="Select all"
                  isTicked={selection.isWhole}
                  isPartly={selection.ticked.length > 0}
                  onTick={selection.tickAll}
                />
              </th>
            )}
            {columns.map(({ title, isSecondary, isAmount, sort }) => (
              <th
                key={title}
                scope="col"
                data-secondary={isSecondary}
                data-amount={isAmount}
                aria-sort={sorting && sort ? directionOf(sort, sorting) : undefined}
              >
                {sorting && sort ? <SortHead title={title} sort={sort} sorting={sorting} /> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={pressOpeners}>
          {rows.map((row, place) => (
            <tr key={keyOf(row, place)} data-ticked={selection?.isTicked(row)}>
              {selection && (
                <td className={styles.tick}>
                  {selection.mayTick(row) && (
                    <Tick
                      label={`Select ${selection.nameOf(row)}`}
                      isTicked={selection.isTicked(row)}
                      onTick={(isTicked) => selection.tick(row, isTicked)}
                    />
                  )}
                </td>
              )}
              {columns.map(({ title, show, text, isSecondary, isAmount, isWhole, opens }) => (
                <td
                  key={title}
                  data-secondary={isSecondary}
                  data-amount={isAmount}
                  data-whole={isWhole}
                  data-opens={opens}
                >
                  {show ? show(row) : text(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

interface TickProps {
  label: string;
  isTicked: boolean;
  isPartly?: boolean;
  onTick: (isTicked: boolean) => void;
}

const Tick = ({ label, isTicked, isPartly = false, onTick }: TickProps) => (
  <label>
    <input
      type="checkbox"
      aria-label={label}
      checked={isTicked}
      ref={(box) => {
        if (box) box.indeterminate = isPartly && !isTicked;
      }}
      onChange={(event) => onTick(event.target.checked)}
    />
  </label>
);
