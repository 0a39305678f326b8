import {
  type Approval,
  listApprovals,
  listClubs,
  maxApprovalsListed,
  retrieveMoney,
  retrieveToday,
  type Today,
} from '@sparechange/contract/console';
import { longDay, shortDay } from '@sparechange/domain';
import { countedInWords } from '@sparechange/domain/counted';
import { keepPreviousData } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useAnswer } from '#api/use-answer.ts';
import { useMay } from '#session/use-may.ts';
import { Failure } from '../ui/failure.tsx';
import { Loading, Note, PageFrame, Pairs, Section, Tag } from '../ui/page.tsx';
import { momentInWords } from '../words.ts';
import { Approvals, isOpen } from './parts/approvals.tsx';
import { See } from './parts/see.tsx';
import { Progress, SumTable } from './runs/run-progress.tsx';
import { outcomeInWords, runStates } from './runs/run-words.ts';
import styles from './today/today.module.css';
import { Alarms } from './today/today-alarms.tsx';
import { Decisions } from './today/today-decisions.tsx';
import { MoneyMoved } from './today/today-money.tsx';

const approvalsAtFirst = 50;

/** Shows the day at a glance, live. */
export default function TodayPage() {
  const maySeeApprovals = useMay(listApprovals);
  const today = useAnswer(retrieveToday, {});
  const [limit, setLimit] = useState(approvalsAtFirst);
  const shown = { enabled: maySeeApprovals, placeholderData: keepPreviousData };
  const approvals = useAnswer(listApprovals, { limit }, shown);
  const { approvals: all, leftOut, unconfirmedChanges } = approvals.data ?? noApprovals;
  const [open, over] = [all.filter(isOpen), all.filter((each) => !isOpen(each))];
  const isRead = approvals.data !== undefined || !maySeeApprovals;
  const money = useAnswer(retrieveMoney, {}, { refetchInterval: 60_000 });
  const problem = today.error ?? approvals.error ?? money.error;
  if (problem && !today.data) return <Failure of={problem} again={today.refetch} />;
  if (!today.data) return <Loading />;
  return (
    <PageFrame title="Today" lead={`${longDay(today.data.day)}, updated live`}>
      <Failure of={problem} />
      <Decisions
        today={today.data}
        approvals={isRead ? open : undefined}
        leftOut={leftOut}
        onMore={limit < maxApprovalsListed ? () => setLimit(maxApprovalsListed) : undefined}
      />
      {money.data ? <MoneyMoved money={money.data} /> : !money.error && <div className={styles.money} />}
      <Over approvals={over} unconfirmed={unconfirmedChanges} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <Runs {...today.data} />
          <CameBack {...today.data} />
        </div>
        <div className={styles.column}>
          <Services {...today.data} />
          <Alarms {...today.data} />
        </div>
      </div>
    </PageFrame>
  );
}

type Listed = (typeof listApprovals)['output']['_output'];

const noApprovals: Listed = { approvals: [], leftOut: 0, unconfirmedChanges: [] };

interface OverProps {
  approvals: Approval[];
  unconfirmed: Listed['unconfirmedChanges'];
}

/** Shows decided and lapsed requests, so that those who asked learn the outcome and no lapse is missed. */
const Over = ({ approvals, unconfirmed }: OverProps) =>
  approvals.length + unconfirmed.length > 0 && (
    <Section title="Decided or lapsed lately">
      <Approvals approvals={approvals} />
      {unconfirmed.length > 0 && (
        <ul className={styles.rows}>
          {unconfirmed.map(({ id, clubId, club, askedBy, askedAt, lapsedAt }) => (
            <li key={id} className={styles.row}>
              <Tag>Lapsed</Tag>
              <p>
                The change of bank details of {club} lapsed {momentInWords(lapsedAt)}: the contact did not confirm it.
                Asked for by {askedBy}, {momentInWords(askedAt)}.{' '}
                <See page={`/clubs/${clubId}`} needs={listClubs}>
                  See the club
                </See>
              </p>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );

const Runs = ({ nextRunAt, lastRun, suspension }: Today) => (
  <Section title="Debit runs">
    <dl className={styles.facts}>
      <div>
        <dt>Next run</dt>
        <dd>
          {momentInWords(nextRunAt)}
          {suspension && ', if debiting has resumed by then'}
        </dd>
      </div>
      {lastRun && (
        <div>
          <dt>
            {shortDay(lastRun.date)} <Tag tone={runStates[lastRun.state].tone}>{runStates[lastRun.state].name}</Tag>
          </dt>
          <dd>
            <Progress progress={lastRun.progress} />
          </dd>
        </div>
      )}
    </dl>
    {!lastRun && <Note>No run has been made yet.</Note>}
  </Section>
);

const CameBack = ({ cameBack }: Today) => (
  <Section title="Returned today">
    {cameBack.length === 0 ? (
      <Note>No debit was returned today.</Note>
    ) : (
      <SumTable
        name="Returned today"
        of="Reason"
        rows={cameBack.map((sum) => ({ ...sum, words: outcomeInWords(sum) }))}
      />
    )}
  </Section>
);

const serviceNames: Record<string, string> = {
  bankLink: 'Bank link',
  payments: 'Direct debit',
  mail: 'Mail server',
};

function Services({ providers, queues }: Today) {
  const services = providers.map(({ name, isReady, unavailableSince }): [string, ReactNode] => [
    serviceNames[name] ?? name,
    <Tag key={name} tone={isReady && !unavailableSince ? 'good' : 'bad'}>
      {unavailableSince ? `No answer since ${momentInWords(unavailableSince)}` : isReady ? 'Ready' : 'Not reached'}
    </Tag>,
  ]);
  const late = queues.workLateSince && (
    <Tag key="late" tone="bad">
      since {momentInWords(queues.workLateSince)}
    </Tag>
  );
  return (
    <Section title="Services and queues">
      <Pairs
        className={styles.figures}
        rows={[
          ...services,
          ['Supporter jobs due', countedInWords(queues.workDue)],
          ['Mails waiting', countedInWords(queues.mailsWaiting)],
          ['Undelivered emails, last 7 days', countedInWords(queues.mailsUndelivered)],
          ['Notifications to apply', queues.notifications.toLocaleString('en-AU')],
          ['Webhooks parked, last 7 days', queues.webhooksParked.toLocaleString('en-AU')],
          ...(late ? [['Work not begun', late] as const] : []),
        ]}
      />
    </Section>
  );
}
