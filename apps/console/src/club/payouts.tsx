import {
  type ClubPayout,
  downloadPayouts,
  downloadPayoutsOfDays,
  listClubPayouts,
  retrievePendingPayouts,
} from '@sparechange/contract/console';
import { add, type Cents, formatCents, longDay, noCents, shortDay, subtract } from '@sparechange/domain';
import { clubPosition } from '@sparechange/domain/club-position';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';
import { type ReactNode, useState } from 'react';
import type { z } from 'zod';
import { useAnswer } from '#api/use-answer.ts';
import { useFilter } from '#api/use-list.ts';
import { useMay } from '#session/use-may.ts';
import { OpenRow } from '../ui/cells.tsx';
import { amountColumn } from '../ui/columns.tsx';
import { Select } from '../ui/filters.tsx';
import { type Column, List } from '../ui/list.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Note, Section, Tag } from '../ui/page.tsx';
import { BookFiles, BookFilesOfDays } from './book-files.tsx';
import { hasFailed, payoutStates } from './payout-states.ts';
import styles from './payouts.module.css';

type Outcome = { words: string; tone: 'plain' | 'good' | 'bad'; hasFiles: boolean };

function outcomeOf({ state, isPaidAgain, retryOn }: ClubPayout): Outcome {
  const words = payoutStates[state];
  const hasFiles = state === 'submitted' || state === 'cleared';
  if (!hasFailed(state)) return { words, tone: state === 'cleared' ? 'good' : 'plain', hasFiles };
  if (isPaidAgain) return { words: `${words}, paid again`, tone: 'plain', hasFiles };
  const follows = retryOn ? `is paid again on ${shortDay(retryOn)}` : 'waits for new bank details';
  return { words: `${words}, ${follows}`, tone: 'bad', hasFiles };
}

const columnsFor = (open: (payout: ClubPayout) => void): Column<ClubPayout>[] => [
  {
    title: 'Paid on',
    text: ({ paidOn }) => paidOn,
    opens: true,
    show: (payout) =>
      outcomeOf(payout).hasFiles ? (
        <OpenRow onClick={() => open(payout)}>{shortDay(payout.paidOn)}</OpenRow>
      ) : (
        shortDay(payout.paidOn)
      ),
  },
  { title: 'On the bank statement', text: ({ reference }) => reference, isSecondary: true },
  {
    title: 'State',
    text: (payout) => outcomeOf(payout).words,
    show: (payout) => <Tag tone={outcomeOf(payout).tone}>{outcomeOf(payout).words}</Tag>,
  },
  amountColumn('Amount', ({ amountCents }) => amountCents),
];

/** Payouts on their way to a club, and those sent in each financial year, with files for its books. */
export function ClubPayouts({ clubId }: { clubId: string }) {
  const { filter, setFilter } = useFilter('year');
  const [opened, setOpened] = useState<ClubPayout | 'days'>();
  const close = () => setOpened(undefined);
  const mayChooseDays = useMay(downloadPayoutsOfDays);
  const maySave = useMay(downloadPayouts, { clubId });
  const pendingPayouts = useAnswer(retrievePendingPayouts, { clubId });
  return (
    <Loaded query={pendingPayouts}>
      {({ years, today, ...pending }) => {
        const year = String(years.find((each) => String(each) === filter.year) ?? years[0]);
        return (
          <>
            <Section title="To be paid and on its way">
              <PendingPayouts {...pending} />
            </Section>
            <Section
              title="Payouts"
              actions={
                <Select
                  label="Financial year"
                  value={year}
                  options={years.map((each) => ({ value: String(each), label: `${each}–${(each + 1) % 100}` }))}
                  onChange={(chosen) => setFilter('year', chosen)}
                />
              }
            >
              <List
                name="Payouts"
                operation={listClubPayouts}
                filter={{ clubId, year }}
                columns={columnsFor(setOpened)}
                empty="No payouts in this financial year."
              />
            </Section>
            {maySave && (
              <Section
                title="The year in one file"
                actions={
                  mayChooseDays && (
                    <Button look="secondary" onClick={() => setOpened('days')}>
                      Choose other days
                    </Button>
                  )
                }
              >
                <Note>
                  All payouts from 1 July {year} to 30 June {Number(year) + 1}, for the club’s accounts and its auditor.
                </Note>
                <BookFiles key={year} clubId={clubId} year={Number(year)} />
              </Section>
            )}
            {opened === 'days' && (
              <Modal title="Payouts of some days" onClose={close}>
                <p>
                  All payouts of these days in one file, which adds up to the deposits, for at most a year. For the PDF
                  of one payout, open that payout in the list.
                </p>
                <BookFilesOfDays clubId={clubId} today={today} />
                <ModalActions onCancel={close} cancel="Close" />
              </Modal>
            )}
            {opened && opened !== 'days' && (
              <Modal title={formatCents(opened.amountCents)} onClose={close}>
                <p>
                  Paid on {longDay(opened.paidOn)}. On the club’s bank statement it is {opened.reference}.
                </p>
                {maySave && <BookFiles clubId={clubId} payoutId={opened.id} />}
                <Button look="quiet" onClick={close}>
                  Close
                </Button>
              </Modal>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

type PendingPayoutsProps = Omit<z.output<typeof retrievePendingPayouts.output>, 'today' | 'years'>;

const mayGoOut = ({ hasAccount, waitsForDetails }: PendingPayoutsProps) => hasAccount && !waitsForDetails;

/** Says when the next run pays the waiting amount, or what holds it up. */
function whenPaid({ nextOn, hasAccount, waitsForDetails }: PendingPayoutsProps): string {
  if (!hasAccount) return 'Waits for the club’s bank details';
  if (waitsForDetails) return 'Waits for new bank details: a payout to these did not arrive';
  return `Goes out on ${shortDay(nextOn)}`;
}

export function PendingPayouts(pending: PendingPayoutsProps) {
  const { waitingCents, reservedCents, toReserveCents, retriedCents, retryOn, clearedTodayCents, onItsWay } = pending;
  const { toPay, owes, heldBack } = clubPosition(
    subtract(waitingCents, toReserveCents),
    add(reservedCents, toReserveCents),
  );
  const rest = subtract(toPay, retriedCents);
  const later = mayGoOut(pending) ? clearedTodayCents : noCents;
  const next = subtract(rest, later);
  const isNothing = onItsWay.length === 0 && waitingCents === 0 && next <= 0;
  return (
    <>
      {isNothing && (
        <Note>Nothing at the moment. Gifts take a few banking days to clear and are paid out the next.</Note>
      )}
      {(!isNothing || heldBack > 0) && (
        <dl className={styles.pending}>
          {onItsWay.map(({ id, paidOn, amountCents, state }) => (
            <Amount key={id} cents={amountCents}>
              {state === 'submitted'
                ? `Sent on ${shortDay(paidOn)}; banks usually need one more banking day`
                : `${payoutStates[state]}, planned on ${shortDay(paidOn)}`}
            </Amount>
          ))}
          {next > 0 && <Amount cents={next}>{whenPaid(pending)}</Amount>}
          {later > 0 && <Amount cents={later}>Cleared today; goes out on {shortDay(pending.afterNextOn)}</Amount>}
          {retryOn && <Amount cents={retriedCents}>Did not arrive; is paid again on {shortDay(retryOn)}</Amount>}
          {owes > 0 && (
            <Amount cents={owes}>
              Owed by the club: taken back by banks or refunded after the payout. Its next donations pay it
            </Amount>
          )}
          {heldBack > 0 && (
            <Amount cents={heldBack}>Held in reserve for what is taken back or refunded; it stays the club’s</Amount>
          )}
        </dl>
      )}
    </>
  );
}

const Amount = ({ cents: amount, children }: { cents: Cents; children: ReactNode }) => (
  <div>
    <dt>{children}</dt>
    <dd className={styles.amount}>{formatCents(amount)}</dd>
  </div>
);
