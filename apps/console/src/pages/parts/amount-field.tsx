import { Dollars } from '@sparechange/contract/console';
import { type Cents, formatCents } from '@sparechange/domain';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useTyped } from '../../ui/filters.tsx';
import styles from '../payments/payments.module.css';

/** Reads a typed amount; undefined if it is not one. */
export const amountIn = (typed: string): Cents | undefined => Dollars.safeParse(typed).data;

const amountProblem = (typed: string): string | undefined => Dollars.safeParse(typed).error?.issues[0]?.message;

/** Says why a typed amount cannot be taken from the amount left. */
export function problemWithin(left: Cents, typed: string): string | undefined {
  const amount = amountIn(typed);
  return amount !== undefined && amount > left ? `Only ${formatCents(left)} is left` : amountProblem(typed);
}

interface AmountFieldProps {
  typed: string;
  /** The largest amount allowed. */
  left: Cents;
  onType: (typed: string) => void;
  hint: string;
}

/** Takes an act's amount, which is required. */
export const AmountField = ({ typed, left, onType, hint }: AmountFieldProps) => (
  <TextField
    label="Amount"
    inputMode="decimal"
    leading={<span className={styles.dollars}>$</span>}
    hint={hint}
    required
    value={typed}
    maxLength={20}
    error={problemWithin(left, typed)}
    onChange={(event) => onType(event.target.value)}
  />
);

/** Filters a list by a dollar amount once typing pauses. */
export function AmountFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const problemOf = (words: string) => (words === '' ? undefined : amountProblem(words));
  const [typed, setTyped] = useTyped(value, onChange, (words) => problemOf(words) === undefined);
  return (
    <TextField
      label="Amount"
      inputMode="decimal"
      placeholder="43.50"
      value={typed}
      maxLength={20}
      error={problemOf(typed)}
      onChange={(event) => setTyped(event.target.value.trim())}
      className={styles.amount ?? ''}
    />
  );
}
