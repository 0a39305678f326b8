import { Button } from '@sparechange/web/ui/button.tsx';
import styles from './list.module.css';
import type { Column } from './list.tsx';
import { saveCsv } from './save-file.ts';

interface SaveRowsProps<Row> {
  /** Names the file. */
  name: string;
  columns: readonly Pick<Column<Row>, 'title' | 'text'>[];
  rows: readonly Row[];
}

/** Exports rows that a page has been given as a whole; lists that the server pages have an export of their own. */
export const SaveRows = <Row,>({ name, columns, rows }: SaveRowsProps<Row>) => (
  <div className={styles.export}>
    <Button
      look="quiet"
      className={styles.exportButton ?? ''}
      aria-label={`Export as CSV: ${name}`}
      onClick={() =>
        saveCsv(name, [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ text }) => text(row)))])
      }
    >
      Export as CSV
    </Button>
  </div>
);
