import { Dollars } from '@sparechange/contract/console';
import type { Cents } from '@sparechange/domain';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useEffect, useState } from 'react';
import styles from './payments.module.css';

/** Reads a typed amount; undefined if it is not one. */
export const amountIn = (typed: string): Cents | undefined => Dollars.safeParse(typed).data;

const amountProblem = (typed: string): string | undefined => Dollars.safeParse(typed).error?.issues[0]?.message;

interface AmountFieldProps {
  typed: string;
  onType: (typed: string) => void;
  hint: string;
}

/** Takes the amount of an act, which is required. */
export const AmountField = ({ typed, onType, hint }: AmountFieldProps) => (
  <TextField
    label="Amount"
    inputMode="decimal"
    leading={<span className={styles.dollars}>$</span>}
    hint={hint}
    required
    value={typed}
    maxLength={20}
    error={amountProblem(typed)}
    onChange={(event) => onType(event.target.value)}
  />
);

/** Filters a list by an amount in dollars, which is searched for once typing pauses. */
export function AmountFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value);
  const problem = typed === '' ? undefined : amountProblem(typed);
  useEffect(() => {
    if (typed === value || problem) return undefined;
    const timer = setTimeout(() => onChange(typed), 300);
    return () => clearTimeout(timer);
  }, [typed, value, problem, onChange]);
  return (
    <TextField
      label="Amount"
      inputMode="decimal"
      placeholder="43.50"
      value={typed}
      maxLength={20}
      error={problem}
      onChange={(event) => setTyped(event.target.value.trim())}
      className={styles.amount ?? ''}
    />
  );
}
