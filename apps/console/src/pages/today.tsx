import {
  type AlarmPage,
  type Approval,
  type ConsoleOperation,
  listApiKeys,
  listApprovals,
  listBankFiles,
  listClubRequests,
  listClubs,
  listFailedJobs,
  listHolderReviews,
  listMails,
  listPayments,
  listPeople,
  listRuns,
  listStatementLines,
  listSupporters,
  maxApprovalsListed,
  retrieveToday,
  type Today,
} from '@sparechange/contract/console';
import { formatCents, longDay, shortDay } from '@sparechange/domain';
import { counted, countedInWords } from '@sparechange/domain/counted';
import { Button } from '@sparechange/web/ui/button.tsx';
import { keepPreviousData } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useLive } from '#api/live.ts';
import { useAnswer } from '#api/use-answer.ts';
import { useMay } from '#session/use-may.ts';
import { Failure } from '../ui/failure.tsx';
import { Loading, Note, PageFrame, Pairs, Section, Tag } from '../ui/page.tsx';
import { momentInWords } from '../words.ts';
import { Approvals, isOpen } from './approvals.tsx';
import { Progress, SumTable } from './run-progress.tsx';
import { outcomeInWords, runStates } from './run-words.ts';
import styles from './today.module.css';

const approvalsAtFirst = 50;

/** Shows the day at a glance, live. */
export default function TodayPage() {
  useLive();
  const maySeeApprovals = useMay(listApprovals);
  const today = useAnswer(retrieveToday, {});
  const [limit, setLimit] = useState(approvalsAtFirst);
  const shown = { enabled: maySeeApprovals, placeholderData: keepPreviousData };
  const approvals = useAnswer(listApprovals, { limit }, shown);
  const { approvals: all, leftOut } = approvals.data ?? { approvals: [], leftOut: 0 };
  const [open, over] = [all.filter(isOpen), all.filter((each) => !isOpen(each))];
  const problem = today.error ?? approvals.error;
  if (problem && !today.data) return <Failure of={problem} />;
  if (!today.data) return <Loading />;
  return (
    <PageFrame title="Today" lead={`${longDay(today.data.day)}, updated live`}>
      <Failure of={problem} />
      <Decisions
        today={today.data}
        approvals={open}
        leftOut={leftOut}
        onMore={limit < maxApprovalsListed ? () => setLimit(maxApprovalsListed) : undefined}
      />
      <Over approvals={over} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <Runs {...today.data} />
          <Services {...today.data} />
        </div>
        <div className={styles.column}>
          <CameBack {...today.data} />
          <Alarms {...today.data} />
        </div>
      </div>
    </PageFrame>
  );
}

const Decision = ({ tag, children }: { tag: string; children: ReactNode }) => (
  <li className={styles.row}>
    <Tag tone="bad">{tag}</Tag>
    <p>{children}</p>
  </li>
);

/** Links to a page for those who may open it. */
const See = ({ page, needs, children }: { page: string; needs: ConsoleOperation; children: ReactNode }) =>
  useMay(needs) && <Link to={page}>{children}</Link>;

const seeRuns = (
  <See page="/runs" needs={listRuns}>
    See Runs
  </See>
);

/** "2 files are to be lodged at the bank, and 12 orders are in no file yet." */
function bankFilesInWords({ toLodge, ordersToWrite }: NonNullable<Today['bankFiles']>): string {
  const files = toLodge > 0 && `${counted(toLodge, 'file')} ${toLodge === 1 ? 'is' : 'are'} to be lodged at the bank`;
  const orders =
    ordersToWrite > 0 && `${counted(ordersToWrite, 'order')} ${ordersToWrite === 1 ? 'is' : 'are'} in no file yet`;
  return `${[files, orders].filter(Boolean).join(', and ')}.`;
}

/** Lists what waits for somebody to decide, the weightiest first. */
function decisionsOf(today: Today): ReactNode[] {
  const { suspension, missedRun, suspendedTenants, unanswered, failedPayouts, silentServers } = today;
  const { bankFiles, holds, namesToReview, clubRequests, statementLines, failedJobs } = today;
  const parked = unanswered.reduce((sum, { parked: ofKind }) => sum + ofKind, 0);
  const decisions = [
    silentServers.length > 0 && (
      <Decision key="servers" tag="No answer">
        The database server {silentServers.join(', ')} does not answer; the figures here leave out its supporters.
      </Decision>
    ),
    suspension && (
      <Decision key="suspension" tag={suspension.isAnomaly ? 'Unusual run' : 'Debiting stopped'}>
        Since {shortDay(suspension.date)}
        {suspension.because && `: ${suspension.because}`}. {seeRuns}
      </Decision>
    ),
    missedRun && (
      <Decision key="missed" tag="Missed run">
        The run of {shortDay(missedRun)} was due and is not finished. {seeRuns}
      </Decision>
    ),
    ...suspendedTenants.map(({ tenant, name, since, because }) => (
      <Decision key={tenant} tag="Suspended">
        Nobody of {name} has been debited since {momentInWords(since)}
        {because && `: ${because}`}. {seeRuns}
      </Decision>
    )),
    parked > 0 && (
      <Decision key="parked" tag="Parked">
        {counted(parked, 'payment')} without a clear answer.{' '}
        <See page="/payments?state=parked" needs={listPayments}>
          See Payments
        </See>
      </Decision>
    ),
    failedPayouts.payouts > 0 && (
      <Decision key="payouts" tag="Failed payouts">
        {counted(failedPayouts.payouts, 'payout')} to clubs came back, {formatCents(failedPayouts.cents)} together.{' '}
        <See page="/payments?kind=remittance" needs={listPayments}>
          See Payments
        </See>
      </Decision>
    ),
    bankFiles && bankFiles.toLodge + bankFiles.ordersToWrite > 0 && (
      <Decision key="bank files" tag="Bank files">
        {bankFilesInWords(bankFiles)}{' '}
        <See page="/bank-files" needs={listBankFiles}>
          See Bank files
        </See>
      </Decision>
    ),
    statementLines > 0 && (
      <Decision key="statement" tag="Unmatched">
        {counted(statementLines, 'line')} of bank statements that nothing explains.{' '}
        <See page="/reconciliation" needs={listStatementLines}>
          See Reconciliation
        </See>
      </Decision>
    ),
    failedJobs > 0 && (
      <Decision key="jobs" tag="Failed jobs">
        {counted(failedJobs, 'job')} failed and {failedJobs === 1 ? 'is' : 'are'} not tried again.{' '}
        <See page="/jobs" needs={listFailedJobs}>
          See Jobs
        </See>
      </Decision>
    ),
    clubRequests > 0 && (
      <Decision key="clubs" tag="Clubs">
        {clubRequests === 1 ? 'A club asks' : `${clubRequests} clubs ask`} to join.{' '}
        <See page="/clubs/requests" needs={listClubRequests}>
          See Requests
        </See>
      </Decision>
    ),
    namesToReview > 0 && (
      <Decision key="names" tag="Names">
        {counted(namesToReview, 'account')} to be debited in another name than the supporter’s.{' '}
        <See page="/supporters/names" needs={listHolderReviews}>
          See Names to review
        </See>
      </Decision>
    ),
    holds > 0 && (
      <Decision key="holds" tag="On hold">
        {counted(holds, 'supporter')} kept from being debited by an operator.{' '}
        <See page="/supporters?state=on_hold" needs={listSupporters}>
          See Supporters
        </See>
      </Decision>
    ),
  ];
  return decisions.filter(Boolean);
}

interface DecisionsProps {
  today: Today;
  approvals: Approval[];
  /** Requests that this person may decide on as well. */
  leftOut: number;
  /** Shows more of them; absent where no more are listed together. */
  onMore: (() => void) | undefined;
}

export function Decisions({ today, approvals, leftOut, onMore }: DecisionsProps) {
  const decisions = decisionsOf(today);
  const isNothing = decisions.length + today.approvals === 0;
  const others = today.approvals - approvals.length - leftOut;
  return (
    <Section title="Needs a decision">
      {isNothing && <Note>Nothing needs a decision now.</Note>}
      <Approvals approvals={approvals} />
      {leftOut > 0 && (
        <Note>
          {counted(leftOut, 'older request')} {leftOut === 1 ? 'is' : 'are'} not shown yet.{' '}
          {onMore && (
            <Button look="quiet" onClick={onMore}>
              Show more
            </Button>
          )}
        </Note>
      )}
      {decisions.length > 0 && <ul className={styles.rows}>{decisions}</ul>}
      {today.peopleNeeded === 1 && (
        <Note>
          One person decides alone: no act needs a second one.{' '}
          <See page="/people" needs={listPeople}>
            Choose how many
          </See>
        </Note>
      )}
      {others > 0 && <Note>{counted(others, 'request')} for others to agree to or refuse.</Note>}
    </Section>
  );
}

/** Shows requests that are over, so that whoever asked reads what became of them. */
const Over = ({ approvals }: { approvals: Approval[] }) =>
  approvals.length > 0 && (
    <Section title="Decided or lapsed within a day">
      <Approvals approvals={approvals} />
    </Section>
  );

const Runs = ({ nextRunAt, lastRun }: Today) => (
  <Section title="Debit runs">
    <dl className={styles.facts}>
      <div>
        <dt>Next run</dt>
        <dd>{momentInWords(nextRunAt)}</dd>
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
  <Section title="Came back today">
    {cameBack.length === 0 ? (
      <Note>No debit came back today.</Note>
    ) : (
      <SumTable
        name="Came back today"
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
          ['Supporters’ work due', countedInWords(queues.workDue)],
          ['Mails waiting', countedInWords(queues.mailsWaiting)],
          ['Mails not delivered, last 7 days', countedInWords(queues.mailsUndelivered)],
          ['Notifications to apply', queues.notifications.toLocaleString('en-AU')],
          ['Webhooks parked, last 7 days', queues.webhooksParked.toLocaleString('en-AU')],
          ...(late ? [['Work not begun', late] as const] : []),
        ]}
      />
    </Section>
  );
}

/** The pages on which alarms are acted on; their paths are their titles in small letters. */
const alarmPages: Record<AlarmPage, ConsoleOperation> = {
  Runs: listRuns,
  Payments: listPayments,
  Clubs: listClubs,
  Reconciliation: listStatementLines,
  'Bank files': listBankFiles,
  Mail: listMails,
  Jobs: listFailedJobs,
  Developers: listApiKeys,
};

const SeePage = ({ page, reference }: { page: AlarmPage; reference: string | null }) => (
  <See
    page={reference ? `/payments/${reference}` : `/${page.toLowerCase().replace(' ', '-')}`}
    needs={alarmPages[page]}
  >
    {reference ? 'See the payment' : `See ${page}`}
  </See>
);

const Alarms = ({ alarms }: Today) => (
  <Section title="Alarms of the last 7 days">
    {alarms.length === 0 ? (
      <Note>No alarm was raised.</Note>
    ) : (
      <ul className={styles.rows}>
        {alarms.map(({ name, about, raisedAt, sentence, page, reference }) => (
          <li key={`${name} ${about} ${raisedAt.toISOString()}`} className={styles.alarm}>
            <p>
              {sentence ?? name.replaceAll('_', ' ')} {page && <SeePage page={page} reference={reference} />}
            </p>
            <Note>{momentInWords(raisedAt)}</Note>
          </li>
        ))}
      </ul>
    )}
  </Section>
);
