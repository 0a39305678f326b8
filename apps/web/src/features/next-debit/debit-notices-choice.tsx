import type { DebitNotices } from '@sparechange/contract';
import { Choice } from '#ui/choice.tsx';
import { FormProblem } from '#ui/notice.tsx';
import { Small } from '#ui/text-link.tsx';
import styles from './debit-notices-choice.module.css';

const options = [
  { value: 'each_debit', label: 'Each debit' },
  { value: 'weekly', label: 'Weekly' },
  { value: 'unusual', label: 'Unusual' },
  { value: 'never', label: 'Never' },
] as const;

const meanings: Record<DebitNotices, string> = {
  each_debit: 'The evening before each debit: how much it is so far, and how to skip it.',
  weekly: 'Once a week, before its first debit: what was debited since the last email, and what comes next.',
  unusual: "Only when it's more than twice your usual, and before your first three debits.",
  never: 'No emails before debits. Where a debit fails or your agreement changes, we email you all the same.',
};

interface DebitNoticesChoiceProps {
  value: DebitNotices | undefined;
  onChange: (value: DebitNotices) => void;
  /** Shown in place of the choice's meaning. */
  problem?: string | undefined;
}

/** Offers the times of emails about debits, and explains the chosen one. */
export function DebitNoticesChoice({ value, onChange, problem }: DebitNoticesChoiceProps) {
  return (
    <div className={styles.choice}>
      <Choice legend="Email me about my debits..." options={options} value={value} onChange={onChange} columns={2} />
      <FormProblem words={problem ?? ''} isShown={problem !== undefined} room={meanings.never}>
        {value && problem === undefined && <Small>{meanings[value]}</Small>}
      </FormProblem>
    </div>
  );
}
