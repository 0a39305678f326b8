import {
  type ClubStatement,
  type ConsoleClub,
  downloadClubStatement,
  retrieveClubStatement,
  type StatementSupporter,
} from '@sparechange/contract/console';
import {
  addDays,
  type Cents,
  formatCents,
  isoDate,
  type Month,
  monthStart,
  negate,
  parseMonth,
  periodInWords,
  shortDay,
} from '@sparechange/domain';
import { Button } from '@sparechange/web/ui/button.tsx';
import { useMutation } from '@tanstack/react-query';
import { call } from '#api/call.ts';
import { useAnswer } from '#api/use-answer.ts';
import { useFilter } from '#api/use-list.ts';
import { hasFailed, payoutStates } from '../../club/payout-states.ts';
import { amountColumn } from '../../ui/columns.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Filters, Select } from '../../ui/filters.tsx';
import { type Column, Table } from '../../ui/list.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { PrintButton } from '../../ui/print-button.tsx';
import { saveFile } from '../../ui/save-file.ts';
import styles from './clubs.module.css';

const maxMonths = 24;

const asOption = (month: Month) => ({
  value: month.slice(0, 7),
  label: periodInWords({ kind: 'month', firstDay: month }),
});

/** Lists months as "2026-11", newest first, back to a club's first gift, and any other that the address names. */
function monthsOf({ today, raisedSince }: Pick<ConsoleClub, 'today' | 'raisedSince'>, named: Month | undefined) {
  let last = monthStart(isoDate(today));
  const first = monthStart(isoDate(raisedSince ?? today));
  const months = [last];
  while (last > first && months.length < maxMonths) {
    last = monthStart(addDays(last, -1));
    months.push(last);
  }
  if (named && !months.includes(named)) months.push(named);
  return months.map(asOption);
}

const columns: Column<StatementSupporter>[] = [
  { title: 'Supporter', text: ({ supporter }) => supporter },
  amountColumn('Round-ups', ({ roundUpCents }) => roundUpCents, { isSecondary: true }),
  amountColumn('Donations', ({ donationCents }) => donationCents, { isSecondary: true }),
  amountColumn('Taken back', ({ takenBackCents }) => takenBackCents, { isSecondary: true }),
  amountColumn('Total', ({ totalCents }) => totalCents),
];

const stateInWords = (state: ClubStatement['payouts'][number]['state']): string =>
  `${payoutStates[state].toLowerCase()}${hasFailed(state) ? ', not counted' : ''}`;

const moreInWords = (more: number): string => (more === 1 ? '1 more is' : `${more} more are`);

/** Shows a club's payments of a month, supporter by supporter. */
export function Statement({ club }: { club: ConsoleClub }) {
  const { id: clubId, today } = club;
  const { filter, setFilter } = useFilter('month');
  const named = parseMonth(filter.month ?? '');
  const months = monthsOf(club, named);
  const month = asOption(named ?? monthStart(isoDate(today))).value;
  const statement = useAnswer(retrieveClubStatement, { clubId, month });
  const save = useMutation({
    mutationFn: async (of: string) => saveFile(await call(downloadClubStatement, { clubId, month: of })),
  });
  return (
    <>
      <p data-print-only>Statement of {asOption(named ?? monthStart(isoDate(today))).label}</p>
      <Filters>
        <Select label="Month" value={month} options={months} onChange={(chosen) => setFilter('month', chosen)} />
      </Filters>
      <Loaded query={statement}>
        {(paid) => (
          <>
            <Section title="Payouts" actions={<PrintButton />}>
              <Payouts statement={paid} />
            </Section>
            <Section
              title="Supporters"
              actions={
                paid.supportersInAll > 0 && (
                  <Button look="secondary" isBusy={save.isPending} onClick={() => save.mutate(month)}>
                    Save as CSV
                  </Button>
                )
              }
            >
              {save.variables === month && <Failure of={save.error} />}
              {paid.supportersInAll === 0 ? (
                <p className={styles.quiet}>Nobody’s money was paid out in this month.</p>
              ) : (
                <Table name="Supporters" columns={columns} rows={paid.supporters} keyOf={({ id }) => id} />
              )}
              {paid.supportersInAll > paid.supporters.length && (
                <p className={styles.quiet}>
                  {moreInWords(paid.supportersInAll - paid.supporters.length)} in the CSV file.
                </p>
              )}
            </Section>
          </>
        )}
      </Loaded>
    </>
  );
}

function Payouts({ statement: { payouts, corrections, heldBackCents, totalCents } }: { statement: ClubStatement }) {
  const lines: [id: string, words: string, cents: Cents][] = [
    ...payouts.map(({ date, reference, cents, state }): [string, string, Cents] => [
      reference,
      `${shortDay(isoDate(date))}, ${reference}: ${stateInWords(state)}`,
      cents,
    ]),
    ...corrections
      .filter(({ isRemitted }) => isRemitted)
      .map(({ date, reason, cents }, place): [string, string, Cents] => [
        `correction ${place}`,
        `Includes a correction of ${shortDay(isoDate(date))}: ${reason ?? 'no reason was kept'}`,
        cents,
      ]),
    ...(heldBackCents === 0
      ? []
      : [
          [
            'reserve',
            heldBackCents > 0 ? 'Held back as a reserve' : 'Released from the reserve',
            negate(heldBackCents),
          ] as [string, string, Cents],
        ]),
  ];
  return (
    <dl className={styles.sums}>
      {lines.map(([id, words, cents]) => (
        <div key={id}>
          <dt>{words}</dt>
          <dd>{formatCents(cents)}</dd>
        </div>
      ))}
      <div>
        <dt>Total paid</dt>
        <dd>{formatCents(totalCents)}</dd>
      </div>
    </dl>
  );
}
