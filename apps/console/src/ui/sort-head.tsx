import styles from './list.module.css';

/** A list's order, with a way to change it. */
export interface Sorting {
  /** A column's name, with a minus where its largest or last come first. */
  by: string;
  onSort: (by: string) => void;
}

/** Returns the direction in which a column is sorted, in the words of `aria-sort`. */
export function directionOf(sort: string, { by }: Sorting): 'ascending' | 'descending' | 'none' {
  if (by.replace('-', '') !== sort.replace('-', '')) return 'none';
  return by.startsWith('-') ? 'descending' : 'ascending';
}

interface SortHeadProps {
  title: string;
  /** The sort that the first press asks for. */
  sort: string;
  sorting: Sorting;
}

/** A column's title that sorts by it; a second press reverses the order. */
export function SortHead({ title, sort, sorting }: SortHeadProps) {
  const direction = directionOf(sort, sorting);
  const reversed = sorting.by.startsWith('-') ? sort.replace('-', '') : `-${sort.replace('-', '')}`;
  return (
    <button
      type="button"
      className={styles.sort}
      data-direction={direction}
      onClick={() => sorting.onSort(direction === 'none' ? sort : reversed)}
    >
      {title}
      <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
        <path d={direction === 'ascending' ? 'M5 2 9 8H1Z' : 'M5 8 1 2h8Z'} fill="currentColor" />
      </svg>
    </button>
  );
}
