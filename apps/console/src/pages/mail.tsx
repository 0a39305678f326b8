import { retrieveMailState } from '@sparechange/contract/console';
import { countedInWords } from '@sparechange/domain/counted';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { useAnswer } from '#api/use-answer.ts';
import { useFilter } from '#api/use-list.ts';
import { DayFields, FoldedFilters, optionsOf, SearchField, Select } from '../ui/filters.tsx';
import { PageFrame, Pairs } from '../ui/page.tsx';
import { instantInWords } from '../words.ts';
import styles from './mail/mail.module.css';
import { MailList } from './mail/mail-list.tsx';
import { mailKinds, mailStatusNames } from './mail/mail-words.ts';

/** The outbox: waiting, sent and undelivered mails. */
export default function MailPage() {
  const { filter, setFilter } = useFilter('address', 'status', 'about', 'from', 'to');
  return (
    <PageFrame title="Mail" lead="Mails of the last 30 days, unless you choose a first day.">
      <MailState />
      <FoldedFilters
        search={<SearchField value={filter.address ?? ''} onChange={(value) => setFilter('address', value)} />}
        others={[filter.status, filter.about, filter.from, filter.to]}
      >
        <Select
          label="Status"
          all="Any status"
          value={filter.status ?? ''}
          onChange={(value) => setFilter('status', value)}
          options={optionsOf(mailStatusNames)}
        />
        <Select
          label="Kind"
          all="All kinds"
          value={filter.about ?? ''}
          onChange={(value) => setFilter('about', value)}
          options={optionsOf(mailKinds)}
        />
        <DayFields filter={filter} onChange={setFilter} />
      </FoldedFilters>
      <MailList filter={filter} empty="No mail matches this filter. Search for a whole address." />
    </PageFrame>
  );
}

function MailState() {
  const state = useAnswer(retrieveMailState, {}, { refetchInterval: 60_000 });
  if (!state.data) return null;
  const { outage, waiting, undelivered, bounced } = state.data;
  return (
    <>
      {outage && (
        <Notice>
          The mail server has not taken our mails since {instantInWords(outage.since)}: {outage.failure}. They wait; the
          next attempt is at {instantInWords(outage.askAgainAt)}.
        </Notice>
      )}
      <Pairs
        className={styles.figures}
        rows={[
          ['Waiting', countedInWords(waiting)],
          ['Given up', countedInWords(undelivered)],
          ['Bounced', bounced.toLocaleString('en-AU')],
        ]}
      />
    </>
  );
}
