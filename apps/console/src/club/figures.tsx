import { type ClubForecast, retrieveClubFigures } from '@sparechange/contract/console';
import { aboutAmount, formatCents, longDay, noCents, shortDay } from '@sparechange/domain';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import { useAnswer } from '#api/use-answer.ts';
import { supportersInWords } from '../pages/clubs/club-state.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Note, Section } from '../ui/page.tsx';
import styles from './figures.module.css';
import { Goal } from './goal.tsx';
import { Retirement } from './retirement.tsx';
import { Trend } from './trend.tsx';

/** Shows what a club has raised, from how many, week by week, its goal, and what to expect. */
export function ClubFigures({ clubId }: { clubId: string }) {
  const figures = useAnswer(retrieveClubFigures, { clubId });
  return (
    <Loaded query={figures}>
      {({ raisedCents, goalDollars, until, months, weeks, forecast, endsOn, hasEnded, ...raised }) => (
        <>
          <Retirement endsOn={endsOn} hasEnded={hasEnded}>
            What was given before is paid.
          </Retirement>
          <Raised {...raised} raisedCents={raisedCents} months={months} />
          {!hasEnded && <Goal clubId={clubId} raisedCents={raisedCents} goalDollars={goalDollars} />}
          <Trend months={months} weeks={weeks} />
          <Forecast forecast={forecast} />
          <Note>Cleared at the supporters’ banks{until && ` by ${longDay(until)}`}, less what was returned.</Note>
        </>
      )}
    </Loaded>
  );
}

type RaisedProps = Pick<
  z.output<typeof retrieveClubFigures.output>,
  'raisedCents' | 'raisedSince' | 'months' | 'supporters' | 'includesClubsUnder'
>;

/** The club's sums; a club that began this month has one, as the other would be equal. */
function Raised({ raisedCents, raisedSince, months, supporters, includesClubsUnder }: RaisedProps) {
  const month = months.at(-1);
  const isFirstMonth = raisedSince !== null && month !== undefined && raisedSince >= month.from;
  return (
    <dl className={styles.figures}>
      {!isFirstMonth && <Figure name="Raised this month">{formatCents(month?.cents ?? noCents)}</Figure>}
      <Figure name="Raised in all" note={raisedSince && `Yours since ${longDay(raisedSince)}`}>
        {formatCents(raisedCents)}
      </Figure>
      <Figure
        isWords={supporters === null}
        name={includesClubsUnder ? 'Supporters, including those of its clubs' : 'Supporters'}
        note={supporters === null && 'Shown from five supporters, for privacy.'}
      >
        {supportersInWords(supporters)}
      </Figure>
    </dl>
  );
}

interface FigureProps {
  name: string;
  note?: ReactNode;
  /** Set smaller, to stay in one line. */
  isWords?: boolean;
  children: ReactNode;
}

const Figure = ({ name, note, isWords, children }: FigureProps) => (
  <div className={styles.figure}>
    <dt>{name}</dt>
    <dd data-words={isWords}>{children}</dd>
    {note && <dd className={styles.quiet}>{note}</dd>}
  </div>
);

function Forecast({ forecast }: { forecast: ClubForecast | null }) {
  if (!forecast)
    return (
      <Section title="The next four weeks">
        <Note>Your forecast appears for 14 days after a payout, once four weeks of round-ups have cleared.</Note>
      </Section>
    );
  const { from, lowCents, expectedCents, highCents } = forecast;
  const place = (amount: number) =>
    `${highCents === lowCents ? 50 : (100 * (amount - lowCents)) / (highCents - lowCents)}%`;
  return (
    <Section title={`Four weeks from ${shortDay(from)}`}>
      <p className={styles.expected}>About {aboutAmount(expectedCents)}</p>
      <div className={styles.range}>
        <svg width="100%" height="16" aria-hidden="true">
          <line x1="0" x2="100%" y1="8" y2="8" />
          <circle cx={place(expectedCents)} cy="8" r="7" />
        </svg>
        <p>
          <span className="visually-hidden">Between </span>
          {aboutAmount(lowCents)} <span className="visually-hidden">and </span>
          <span>{aboutAmount(highCents)}</span>
        </p>
      </div>
      <Note>
        Four average weeks from your last 12, or fewer for a newer club, counting people who give today and no backdated
        first debits. Four times in five you’ll land in this range. One-off donations are not included.
      </Note>
    </Section>
  );
}
