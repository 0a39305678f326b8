import {
  type Approval,
  listBankFiles,
  listClubRequests,
  listFailedJobs,
  listHolderReviews,
  listPayments,
  listPeople,
  listRuns,
  listStatementLines,
  listSupporters,
  type Today,
} from '@sparechange/contract/console';
import { formatCents, shortDay } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { Button } from '@sparechange/web/ui/button.tsx';
import type { ReactNode } from 'react';
import { Note, Section, Tag } from '../../ui/page.tsx';
import { momentInWords } from '../../words.ts';
import { Approvals } from '../parts/approvals.tsx';
import { See } from '../parts/see.tsx';
import { suspensionInWords } from '../runs/run-words.ts';
import styles from './today.module.css';

const Decision = ({ tag, children }: { tag: string; children: ReactNode }) => (
  <li className={styles.row}>
    <Tag tone="bad">{tag}</Tag>
    <p>{children}</p>
  </li>
);

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

/** Lists open decisions, the most important first. */
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
        {suspensionInWords(suspension)}
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
  /** Undefined until known which ones this person may decide. */
  approvals: Approval[] | undefined;
  /** The number of further requests that this person may decide. */
  leftOut: number;
  /** Shows more of them; absent where no more are listed together. */
  onMore: (() => void) | undefined;
}

export function Decisions({ today, approvals, leftOut, onMore }: DecisionsProps) {
  const decisions = decisionsOf(today);
  const isNothing = decisions.length + today.approvals === 0;
  const others = approvals ? today.approvals - approvals.length - leftOut : 0;
  return (
    <Section title="Needs a decision">
      {isNothing && <Note>Nothing needs a decision now.</Note>}
      <Approvals approvals={approvals ?? []} />
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
          Approvals are off: one person decides alone.{' '}
          <See page="/people" needs={listPeople}>
            Turn them on
          </See>
        </Note>
      )}
      {others > 0 && <Note>{counted(others, 'request')} for others to agree to or refuse.</Note>}
    </Section>
  );
}
