import {
  accountName,
  type ConsoleClub,
  type LedgerCorrection,
  listCorrections,
  retrieveClub,
  retrieveClubBalance,
  retrievePendingPayouts,
  setClubReserve,
} from '@sparechange/contract/console';
import { type Cents, dollars, formatCents, negate, parseTypedAmount } from '@sparechange/domain';
import { Button } from '@sparechange/web/ui/button.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { useAnswer } from '#api/use-answer.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { amountColumn, dayColumn } from '../../ui/columns.tsx';
import { type Column, List } from '../../ui/list.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { WriteOff } from '../payments/write-off.tsx';
import { CorrectClub } from '../reconciliation/corrections.tsx';
import styles from './clubs.module.css';

/** The amount for the club, negative where it gets less. */
const forClub = ({ credit, cents }: LedgerCorrection) => (credit === 'owed_to_clubs' ? cents : negate(cents));
const against = ({ debit, credit }: LedgerCorrection) => (credit === 'owed_to_clubs' ? debit : credit);

const columns: Column<LedgerCorrection>[] = [
  dayColumn('Day', ({ bookedOn }) => bookedOn),
  { title: 'Reason', text: ({ reason }) => reason ?? '' },
  { title: 'Against', text: (row) => accountName(against(row)), isSecondary: true },
  amountColumn('For the club', forClub),
];

/** Shows a club's debt, reserve and corrections, to people who keep the books. */
export function ClubBalance({ club }: { club: ConsoleClub }) {
  const [opened, setOpened] = useState<'write off' | 'reserve' | 'correct'>();
  const close = () => setOpened(undefined);
  const balance = useAnswer(retrieveClubBalance, { clubId: club.id });
  return (
    <Loaded query={balance}>
      {({ owesCents, reserveCents, reservedCents }) => (
        <>
          <Section
            title="What it owes"
            actions={
              owesCents > 0 && (
                <Button look="secondary" isDangerous onClick={() => setOpened('write off')}>
                  Write off
                </Button>
              )
            }
          >
            {owesCents > 0 ? (
              <p>
                <strong>{formatCents(owesCents)}</strong>, taken back by banks or refunded after it was paid out. Its
                next donations pay it.
              </p>
            ) : (
              <p className={styles.quiet}>Nothing owed.</p>
            )}
          </Section>
          <Section
            title="Reserve"
            actions={
              <Button look="secondary" onClick={() => setOpened('reserve')}>
                Change
              </Button>
            }
          >
            <p className={styles.quiet}>{reserveInWords(reserveCents, reservedCents)}</p>
          </Section>
          <Section
            title="Corrections"
            actions={
              <Button look="secondary" onClick={() => setOpened('correct')}>
                Correct its balance
              </Button>
            }
          >
            <List
              name={`Corrections of ${club.name}`}
              operation={listCorrections}
              filter={{ clubId: club.id }}
              columns={columns}
              empty="No corrections."
            />
          </Section>
          {opened === 'write off' && (
            <WriteOff debt={{ clubId: club.id, club: club.name, cents: owesCents }} onClose={close} />
          )}
          {opened === 'reserve' && <Reserve club={club} reserveCents={reserveCents} onClose={close} />}
          {opened === 'correct' && <CorrectClub club={club} onClose={close} />}
        </>
      )}
    </Loaded>
  );
}

function reserveInWords(reserveCents: Cents, reservedCents: Cents): string {
  if (reserveCents > 0)
    return `${formatCents(reservedCents)} is held back for bank claims, of at most ${formatCents(reserveCents)}.`;
  if (reservedCents > 0) return `${formatCents(reservedCents)} was held back and goes with the next payout.`;
  return 'No reserve: payouts are paid in full.';
}

interface ReserveProps {
  club: ConsoleClub;
  reserveCents: Cents;
  onClose: () => void;
}

const Reserve = ({ club, reserveCents, onClose }: ReserveProps) => (
  <ActDialog
    title={`Reserve of ${club.name}`}
    action="Save"
    act={(form) => call(setClubReserve, { clubId: club.id, cents: parseTypedAmount(String(form.get('cents'))) ?? -1 })}
    changes={[retrieveClubBalance, retrieveClub, retrievePendingPayouts]}
    onClose={onClose}
  >
    {(problem) => (
      <>
        <p>
          The next payouts fill it before they pay the club, and bank claims draw on it. It remains the club’s money:
          lowering it pays the rest out with the next payout.
        </p>
        <TextField
          label="At most, in dollars"
          name="cents"
          inputMode="decimal"
          required
          defaultValue={dollars(reserveCents)}
          hint="0 holds nothing back."
          error={problem('cents', parseTypedAmount)}
        />
      </>
    )}
  </ActDialog>
);
