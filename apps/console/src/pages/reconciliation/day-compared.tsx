import { accountName, type ComparedRow, type ReconciledDay } from '@sparechange/contract/console';
import { type Cents, described, formatCents, shortDay } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { dayIn } from '../../ui/day-in.ts';
import { Note } from '../../ui/page.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import styles from './day-compared.module.css';

const kinds: Record<ComparedRow['kind'], (matchedWith: string) => string> = {
  settlement: (of) => {
    const settled = dayIn(of.slice(0, 10));
    return `Settlement of ${settled ? shortDay(settled) : of}`;
  },
  collection: (of) => `Debit ${of}`,
  payout: (of) => `Payout ${of}`,
  payout_returned: (of) => `Payout ${of}, returned`,
  claim: (of) => `Returned debit ${of}`,
  by_hand: (of) => `${accountName(of)}, by hand`,
  open: () => 'No match yet',
};

const amount = (cents: Cents | null): string => (cents === null ? '–' : formatCents(cents));

/** "9 Dec agrees", or by how much and in how many lines it differs. */
export function answerOf(day: string, { state, differenceCents, differing }: ReconciledDay['comparison']): string {
  const at = dayIn(day);
  const name = at ? shortDay(at).replace(/^\w+ /, '') : day;
  if (state === 'differs') return `${name} differs by ${formatCents(differenceCents)}: ${counted(differing, 'line')}`;
  if (state === 'waiting') return `${name} agrees so far. The bank has yet to book a settlement`;
  return state === 'agrees' ? `${name} agrees` : `Nothing to compare on ${name}`;
}

function noteOf({ isWaiting, differenceCents, description }: ComparedRow): string {
  if (isWaiting) return 'Not on a statement yet';
  if (differenceCents !== 0) return `Differs by ${formatCents(differenceCents)}`;
  return description === null ? '' : described(description);
}

const Row = ({ row }: { row: ComparedRow }) => (
  <tr data-differs={row.differenceCents !== 0 || undefined}>
    <th scope="row">
      {row.kind === 'open' && row.description !== null
        ? described(row.description)
        : kinds[row.kind](row.matchedWith ?? '')}
      <span className={styles.note}>{noteOf(row)}</span>
    </th>
    <td>{amount(row.bankCents)}</td>
    <td>{amount(row.providerCents)}</td>
    <td>{amount(row.ledgerCents)}</td>
  </tr>
);

/** Answers whether a day agrees, with bank, provider and ledger as columns of the same rows. */
export function DayCompared({ day, of }: { day: string; of: ReconciledDay['comparison'] }) {
  return (
    <section className={styles.compared} aria-label="The day compared">
      <p className={styles.answer} data-state={of.state} role="status">
        {answerOf(day, of)}
      </p>
      {of.rows.length > 0 && (
        <ScrollRegion name="Bank, provider and ledger" className={styles.scroll}>
          <table>
            <thead>
              <tr>
                <th scope="col">Line</th>
                <th scope="col">Bank</th>
                <th scope="col">Provider</th>
                <th scope="col">Ledger</th>
              </tr>
            </thead>
            <tbody>
              {of.rows.map((row) => (
                <Row key={row.id} row={row} />
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      {of.more > 0 && <Note>{counted(of.more, 'more line')} of the day are not compared here.</Note>}
    </section>
  );
}
