import {
  type AuditEntry,
  listAuditEntries,
  type RetrievedAuditState,
  retrieveAuditState,
} from '@sparechange/contract/console';
import { auditDetail } from '@sparechange/domain/audit-detail';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { sentenceOf } from '#api/call-problem.ts';
import { useAnswer } from '#api/use-answer.ts';
import { useFilter } from '#api/use-list.ts';
import { instantColumn } from '../ui/columns.tsx';
import { DayFields, Filters, SearchField } from '../ui/filters.tsx';
import { type Column, List } from '../ui/list.tsx';
import { PageFrame } from '../ui/page.tsx';
import { actInWords, instantInWords } from '../words.ts';
import styles from './audit-log.module.css';

const detailsOf = ({ details }: AuditEntry) =>
  Object.entries(details)
    .filter(([, value]) => value !== '' && value !== null)
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : auditDetail(name, value)}`)
    .join(', ');

const whoOf = ({ by, actor }: AuditEntry) => by ?? actor;

const columns: Column<AuditEntry>[] = [
  instantColumn('When', ({ at }) => at),
  { title: 'Who', text: whoOf, show: (entry) => <span className={styles.who}>{whoOf(entry)}</span> },
  {
    title: 'What',
    text: (entry) => [actInWords(entry), detailsOf(entry)].filter(Boolean).join('; '),
    show: (entry) => (
      <>
        {actInWords(entry)}
        <span className={styles.details}>{detailsOf(entry)}</span>
      </>
    ),
  },
];

/** Says how far the log was checked; before that is known, what it is. */
const leadOf = (state: RetrievedAuditState | undefined): string => {
  if (!state) return 'What was done by whom.';
  if (!state.checkpoint) return 'What was done by whom. No checkpoint was made yet; one is made every hour.';
  const { number, madeAt, entries } = state.checkpoint;
  return `Checked up to checkpoint ${number}, ${instantInWords(madeAt)}: ${entries} entries.`;
};

/** Shows who did what, with a warning if somebody has tampered with the log. */
export default function AuditLog() {
  const { filter, setFilter } = useFilter('search', 'from', 'to', 'supporterId', 'personId');
  const state = useAnswer(retrieveAuditState, {});
  return (
    <PageFrame title="Audit log" lead={leadOf(state.data)}>
      {state.error && <Notice>It could not be read whether the log was changed. {sentenceOf(state.error)}</Notice>}
      {state.data?.changedAt && (
        <Notice>
          A change of the log was found on {instantInWords(state.data.changedAt)}. “ops audit” names the entries.
        </Notice>
      )}
      <Filters>
        <SearchField value={filter.search ?? ''} onChange={(value) => setFilter('search', value)} />
        <DayFields filter={filter} onChange={setFilter} />
      </Filters>
      <List
        name="Audit log"
        operation={listAuditEntries}
        filter={filter}
        columns={columns}
        empty="No entry matches this filter."
      />
    </PageFrame>
  );
}
