import { type PaymentKind, type PaymentSums, sumPayments } from '@sparechange/contract/console';
import { type Cents, formatCents, total } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { useAnswer } from '#api/use-answer.ts';

const moneyIn: readonly PaymentKind[] = ['debit', 'donation'];

interface Sum {
  payments: number;
  in: Cents | undefined;
  out: Cents | undefined;
}

/** Adds up payments by the way that their money takes; undefined where nothing takes it. */
export function sumByWay({ sums }: Pick<PaymentSums, 'sums'>): Sum {
  const of = (isIn: boolean) => {
    const ofWay = sums.filter(({ kind }) => moneyIn.includes(kind) === isIn);
    return ofWay.length > 0 ? total(ofWay.map(({ cents }) => cents)) : undefined;
  };
  return { payments: sums.reduce((sum, { payments }) => sum + payments, 0), in: of(true), out: of(false) };
}

/** Counts and sums the payments of a filter, over all of its pages. */
export function PaymentSum({ filter }: { filter: Record<string, string> }) {
  const { data } = useAnswer(sumPayments, filter, { retry: false });
  if (!data) return null;
  if (data.isCut) return <>Too many payments to add up. Choose days for a sum.</>;
  const { payments, in: moneyIn, out } = sumByWay(data);
  return (
    <>
      {counted(payments, 'payment')}
      {moneyIn !== undefined && (
        <>
          , <strong>{formatCents(moneyIn)}</strong> in
        </>
      )}
      {out !== undefined && (
        <>
          , <strong>{formatCents(out)}</strong> out
        </>
      )}
    </>
  );
}
