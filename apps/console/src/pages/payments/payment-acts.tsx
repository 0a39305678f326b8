import {
  failPayment,
  type PaymentKind,
  type PaymentTrace,
  parkPayment,
  refundPayment,
  retryPayment,
  writeOffClub,
} from '@sparechange/contract/console';
import { dollars, formatCents, noCents } from '@sparechange/domain';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Checkbox } from '@sparechange/web/ui/checkbox.tsx';
import { type ComponentType, useState } from 'react';
import { call } from '#api/call.ts';
import { CallProblem } from '#api/call-problem.ts';
import { useMayCall } from '#session/use-may.ts';
import { AmountField, amountIn, problemWithin } from '../parts/amount-field.tsx';
import { secondPersonHint } from '../parts/second-person-hint.ts';
import { PaymentActDialog, whyIn } from './payment-act-dialog.tsx';
import { WriteOff } from './write-off.tsx';

interface ActProps {
  trace: PaymentTrace;
  onClose: () => void;
}

function Retry({ trace: { reference, amountCents }, onClose }: ActProps) {
  return (
    <PaymentActDialog
      title="Retry this payment"
      action={`Retry ${formatCents(amountCents)}`}
      asksWhy={false}
      onAct={async () => {
        await call(retryPayment, { reference });
        return {};
      }}
      onClose={onClose}
    >
      <p>
        The provider is asked whether it has this payment of {formatCents(amountCents)}. If it has, its answer is
        recorded; if not, the payment is submitted again.
      </p>
    </PaymentActDialog>
  );
}

function Park({ trace: { reference, kind, amountCents }, onClose }: ActProps) {
  const isDebit = kind === 'debit' || kind === 'donation';
  return (
    <PaymentActDialog
      title="Park this payment"
      action="Park it"
      onAct={(form) => call(parkPayment, { reference, because: whyIn(form) })}
      onClose={onClose}
    >
      <p>
        This payment of {formatCents(amountCents)} is not retried until somebody retries it or marks it as failed.
        {isDebit && ' The supporter is not debited again before that.'}
      </p>
    </PaymentActDialog>
  );
}

const afterFailure: Record<PaymentKind, string> = {
  debit: 'it is added to the supporter’s next debit',
  donation: 'the donation is not asked for again',
  deposit: 'it is added to the supporter’s next deposit',
  remittance: 'it is paid with the club’s next payout',
  repayment: 'it goes back to the club and to the savings part',
};

function Fail({ trace: { reference, kind, amountCents }, onClose }: ActProps) {
  const [force, setForce] = useState(false);
  return (
    <PaymentActDialog
      title="Mark as failed"
      action={`Mark ${formatCents(amountCents)} as failed`}
      isDangerous
      onAct={(form) => call(failPayment, { reference, because: whyIn(form), force })}
      onClose={onClose}
    >
      <p>
        The payment of {formatCents(amountCents)} is booked as refused, and {afterFailure[kind]}. The provider is asked
        first: a payment that it has cannot be marked as failed, nor one that was sent within the last ten minutes.
      </p>
      <Checkbox
        label="Also where the provider does not answer"
        detail="If it has the payment after all, the money moves twice."
        checked={force}
        onChange={(event) => setForce(event.target.checked)}
      />
    </PaymentActDialog>
  );
}

function Refund({ trace: { reference, account, refundableCents }, onClose }: ActProps) {
  const left = refundableCents ?? noCents;
  const [typed, setTyped] = useState(dollars(left));
  const [requestId] = useState(() => crypto.randomUUID()); // one refund, however often it is pressed
  const amount = amountIn(typed);
  const refund = async (form: FormData) => {
    const problem = problemWithin(left, typed);
    if (problem || amount === undefined)
      throw new CallProblem(0, 'invalid-input', 'The amount is not right.', { amountCents: problem ?? '' });
    return call(refundPayment, { reference, amountCents: amount, because: whyIn(form), requestId });
  };
  return (
    <PaymentActDialog
      title="Refund"
      action={amount === undefined ? 'Refund' : `Refund ${formatCents(amount)}`}
      onAct={refund}
      onClose={onClose}
    >
      <p>
        {amount === undefined
          ? `Up to ${formatCents(left)}`
          : `${formatCents(amount)} of the ${formatCents(left)} left`}{' '}
        goes back to {account ?? 'the account it came from'}, from the club’s share and the savings. We email the
        supporter.
      </p>
      <AmountField typed={typed} left={left} onType={setTyped} hint={secondPersonHint('debit')} />
    </PaymentActDialog>
  );
}

const WriteOffOfPayment = ({ trace: { club, clubOwesCents }, onClose }: ActProps) =>
  club && <WriteOff debt={{ clubId: club.id, club: club.name, cents: clubOwesCents }} onClose={onClose} />;

interface Act {
  label: string;
  operation: typeof refundPayment | typeof parkPayment | typeof retryPayment | typeof failPayment | typeof writeOffClub;
  isOffered: (trace: PaymentTrace) => boolean;
  isDangerous?: true;
  Dialog: ComponentType<ActProps>;
}

const isUnanswered = ({ state }: PaymentTrace) => state === 'submitting' || state === 'parked';

const acts: Act[] = [
  { label: 'Refund', operation: refundPayment, isOffered: (trace) => (trace.refundableCents ?? 0) > 0, Dialog: Refund },
  { label: 'Retry', operation: retryPayment, isOffered: isUnanswered, Dialog: Retry },
  { label: 'Park', operation: parkPayment, isOffered: ({ state }) => state === 'submitting', Dialog: Park },
  { label: 'Mark as failed', operation: failPayment, isOffered: isUnanswered, Dialog: Fail, isDangerous: true },
  {
    label: 'Write off',
    operation: writeOffClub,
    isOffered: (trace) => trace.clubOwesCents > 0,
    Dialog: WriteOffOfPayment,
    isDangerous: true,
  },
];

/** Offers the actions that a payment's state allows. */
export function PaymentActs({ trace }: { trace: PaymentTrace }) {
  const may = useMayCall();
  const [chosen, setChosen] = useState<Act>();
  const offered = acts.filter(({ operation, isOffered }) => isOffered(trace) && may(operation));
  return (
    <>
      {offered.map((act) => (
        <Button key={act.label} look="secondary" isDangerous={act.isDangerous} onClick={() => setChosen(act)}>
          {act.label}
        </Button>
      ))}
      {chosen && <chosen.Dialog trace={trace} onClose={() => setChosen(undefined)} />}
    </>
  );
}
