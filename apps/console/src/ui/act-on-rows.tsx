import type { ConsoleOperation } from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { type ReactNode, useState } from 'react';
import { ActDialog } from './act-dialog.tsx';
import { type ActedOnEach, actOnEach } from './act-on-each.ts';
import styles from './list.module.css';

/** An act on several rows of a list, each by a call of its own. */
export interface RowsAct<Row> {
  /** Returns whether it is offered for a row. */
  isFor: (row: Row) => boolean;
  /** Names a row, for its box and among those left out. */
  nameOf: (row: Row) => string;
  /** Words of the button. */
  action: string;
  /** Asks for confirmation: "Send 5 mails again?" */
  question: (count: number) => string;
  /** Says what happens. */
  explanation: ReactNode;
  act: (row: Row) => Promise<unknown>;
  /** Says what was done: "5 mails sent again." */
  done: (count: number) => string;
  /** Operations to refetch afterwards. */
  changes: readonly ConsoleOperation[];
}

interface SelectedProps {
  count: number;
  action: string;
  onAct: () => void;
  onClear: () => void;
}

/** Shows how many rows are selected, and offers the act on them. */
export const Selected = ({ count, action, onAct, onClear }: SelectedProps) => (
  <div className={styles.selected}>
    <span role="status">{count} selected</span>
    <Button look="secondary" onClick={onAct} className={styles.actButton ?? ''}>
      {action}
    </Button>
    <Button look="quiet" onClick={onClear} className={styles.actButton ?? ''}>
      Clear
    </Button>
  </div>
);

interface RowsDialogProps<Row> {
  act: RowsAct<Row>;
  rows: readonly Row[];
  onClose: (isDone: boolean) => void;
}

/** Asks for confirmation, acts on one row after the other, and shows what was done and what was left out. */
export function RowsDialog<Row extends { id: string }>({ act, rows, onClose }: RowsDialogProps<Row>) {
  const [tried, setTried] = useState<number>();
  const [isDone, setDone] = useState(false);
  const carryOut = async () => {
    setTried(0);
    const acted = await actOnEach(rows, act.act, setTried);
    setDone(true);
    return acted;
  };
  return (
    <ActDialog
      title={act.question(rows.length)}
      afterTitle={act.action}
      action={act.action}
      act={carryOut}
      changes={act.changes}
      after={(acted) => <Result act={act} acted={acted} />}
      onClose={() => onClose(isDone)}
    >
      {() => (
        <>
          <p>{act.explanation}</p>
          {tried !== undefined && (
            <p role="status">
              {tried} of {rows.length}
            </p>
          )}
        </>
      )}
    </ActDialog>
  );
}

const Result = <Row extends { id: string }>({ act, acted }: { act: RowsAct<Row>; acted: ActedOnEach<Row> }) => (
  <>
    <p>{act.done(acted.done.length)}</p>
    {acted.leftOut.length > 0 && (
      <Notice>
        {acted.leftOut.length} left out:
        <ul className={styles.leftOut}>
          {acted.leftOut.map(({ row, because }) => (
            <li key={row.id}>
              {act.nameOf(row)}: {because}
            </li>
          ))}
        </ul>
      </Notice>
    )}
  </>
);
