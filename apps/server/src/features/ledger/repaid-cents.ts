import type { Db } from '#db/connect.ts';

/** Selects the cents of a debit's club part, or of its savings part, that operators have refunded or are refunding. */
export const repaidCents = (db: Db, part: 'club' | 'savings' = 'club') => db`
  coalesce((select sum(${part === 'club' ? db`repayment.amount_cents - repayment.savings_cents` : db`repayment.savings_cents`})
    from repayments repayment
    where repayment.supporter_id = debits.supporter_id and repayment.debit_id = debits.id
      and repayment.state in ('planned', 'submitting', 'submitted', 'cleared')), 0)`;
