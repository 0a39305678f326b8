import { Button } from '@sparechange/web/ui/button.tsx';
import { useState } from 'react';
import { sentenceOf } from '#api/call-problem.ts';
import { type ListOperation, readWholeList } from '#api/use-list.ts';
import styles from './list.module.css';
import type { Column } from './list.tsx';
import { saveCsv } from './save-file.ts';

interface ExportListProps<Row> {
  /** Names the file. */
  name: string;
  operation: ListOperation<Row>;
  filter: Record<string, string>;
  columns: readonly Column<Row>[];
}

/** Saves every page of a list as CSV. */
export function ExportList<Row>({ name, operation, filter, columns }: ExportListProps<Row>) {
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
      {state === 'cut' && <span role="status">Only the first 50,000 are in it. Please narrow the filter.</span>}
      {state === 'partial' && <span role="alert">It leaves out supporters of a server that does not answer.</span>}
      {state === 'failed' && <span role="alert">The export failed. {sentenceOf(failure) ?? 'Please try again.'}</span>}
      <Button look="quiet" isBusy={state === 'busy'} onClick={() => void save()} className={styles.exportButton ?? ''}>
        Export as CSV
      </Button>
    </div>
  );
}
