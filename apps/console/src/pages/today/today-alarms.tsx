import {
  type AlarmPage,
  type ConsoleOperation,
  listApiKeys,
  listBankFiles,
  listClubs,
  listFailedJobs,
  listMails,
  listPayments,
  listRuns,
  listStatementLines,
  type Today,
} from '@sparechange/contract/console';
import { Note, Section } from '../../ui/page.tsx';
import { momentInWords } from '../../words.ts';
import { See } from '../parts/see.tsx';
import styles from './today.module.css';

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

export const Alarms = ({ alarms }: Today) => (
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
