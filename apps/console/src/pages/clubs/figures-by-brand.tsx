import { type BrandFigures, listBrandFigures } from '@sparechange/contract/console';
import { Link } from 'react-router';
import { amountColumn } from '../../ui/columns.tsx';
import { type Column, List } from '../../ui/list.tsx';
import { Fold } from '../../ui/page.tsx';
import styles from './clubs.module.css';

const columns: Column<BrandFigures>[] = [
  {
    title: 'Brand',
    text: ({ name }) => name,
    opens: true,
    show: ({ id, name }) => (
      <Link to={`/clubs?tenant=${id}`} className={styles.name}>
        {name}
      </Link>
    ),
  },
  { title: 'Clubs', text: ({ clubs }) => String(clubs), isAmount: true, isSecondary: true },
  {
    title: 'Supporters',
    text: ({ supporters }) => String(supporters ?? 'Not shown'),
    isAmount: true,
    isSecondary: true,
  },
  amountColumn('This month', ({ monthCents }) => monthCents),
  amountColumn('In all', ({ collectedCents }) => collectedCents),
];

/** Shows the amounts raised by each brand's clubs, folded. */
export const FiguresByBrand = () => (
  <Fold title="Raised by brand">
    <List name="Raised by brand" operation={listBrandFigures} columns={columns} empty="There are no clubs." />
  </Fold>
);
