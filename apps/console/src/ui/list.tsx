import { Button } from '@sparechange/web/ui/button.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { type ReactNode, useState } from 'react';
import { sentenceOf } from '#api/call-problem.ts';
import { type ListOperation, readWholeList, useList } from '#api/use-list.ts';
import { Failure } from './failure.tsx';
import styles from './list.module.css';
import { Loading } from './page.tsx';
import { RefusedFilter } from './refused-filter.tsx';
import { saveCsv } from './save-file.ts';

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
}

interface ListProps<Row> {
  /** Names the table and the exported file. */
  name: string;
  operation: ListOperation<Row>;
  filter?: Record<string, string>;
  columns: readonly Column<Row>[];
  /** Groups rows that are shown as one; an export has each of them. */
  together?: (rows: readonly Row[]) => readonly Row[];
  /** Shown where nothing is found. */
  empty: string;
}

const leftOut = (servers: string[]): string =>
  `The database server ${servers.join(', ')} does not answer; this list leaves out its supporters.`;

/** A table of a server-paged list, with its export. */
export function List<Row extends { id: string }>(props: ListProps<Row>) {
  const { name, operation, filter = {}, columns, together, empty } = props;
  const list = useList<Row>(operation, filter);
  const problem = list.error && (
    <RefusedFilter of={list.error} filter={filter}>
      <Failure of={list.error} otherwise="The filter is not as it should be." again={list.refetch} />
    </RefusedFilter>
  );
  if (!list.rows) return problem || <Loading />;
  const isEmpty = list.rows.length === 0;
  if (isEmpty && !problem && list.silentServers.length === 0) return <p className={styles.empty}>{empty}</p>;
  return (
    <div className={styles.list}>
      {problem}
      {list.silentServers.length > 0 && <Notice>{leftOut(list.silentServers)}</Notice>}
      {isEmpty && <p className={styles.empty}>{empty}</p>}
      {!isEmpty && (
        <Table name={name} columns={columns} rows={together?.(list.rows) ?? list.rows} keyOf={({ id }) => id} />
      )}
      <div className={styles.foot}>
        <Export name={name} operation={operation} filter={filter} columns={columns} />
        {list.hasNextPage && (
          <Button look="secondary" isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        )}
      </div>
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
}

/** Rows under their columns, scrolled where they are too wide. */
export function Table<Row>({ name, columns, rows, keyOf }: TableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard too
    <section className={styles.scroll} aria-label={name} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map(({ title, isSecondary, isAmount }) => (
              <th key={title} scope="col" data-secondary={isSecondary} data-amount={isAmount}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={pressOpeners}>
          {rows.map((row, place) => (
            <tr key={keyOf(row, place)}>
              {columns.map(({ title, show, text, isSecondary, isAmount, opens }) => (
                <td key={title} data-secondary={isSecondary} data-amount={isAmount} data-opens={opens}>
                  {show ? show(row) : text(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Export<Row>({ name, operation, filter, columns }: Required<Omit<ListProps<Row>, 'empty' | 'together'>>) {
  const [state, setState] = useState<'idle' | 'busy' | 'cut' | 'partial' | 'failed'>('idle');
  const [failure, setFailure] = useState<unknown>();
  const save = async () => {
    setState('busy');
    try {
      const { rows, isCut, silentServers } = await readWholeList<Row>(operation, filter);
      const lines = rows.map((row) => columns.map(({ text }) => text(row)));
      saveCsv(name, [columns.map(({ title }) => title), ...lines]);
      const isPartial = silentServers.length > 0;
      setState(isCut ? 'cut' : isPartial ? 'partial' : 'idle');
    } catch (error) {
      setFailure(error);
      setState('failed');
    }
  };
  return (
    <div className={styles.export}>
      <Button look="quiet" isBusy={state === 'busy'} onClick={() => void save()}>
        Export as CSV
      </Button>
      {state === 'cut' && <span role="status">Only the first 50,000 are in it. Please narrow the filter.</span>}
      {state === 'partial' && <span role="alert">It leaves out supporters of a server that does not answer.</span>}
      {state === 'failed' && <span role="alert">The export failed. {sentenceOf(failure) ?? 'Please try again.'}</span>}
    </div>
  );
}
