import { type DebitNotices, setDebitNoticesByLink } from '@sparechange/contract';
import { useState } from 'react';
import { useParams } from 'react-router';
import { call } from '#api/call.ts';
import { DebitNoticesChoice } from '#features/next-debit/debit-notices-choice.tsx';
import { MailChoicePage } from '#features/tenants/mail-choice-page.tsx';

/** /debit-mails/:token, from mails about debits; mail clients may post (RFC 8058). Opening it changes nothing. */
export default function DebitMails() {
  const { token = '' } = useParams();
  const [debitNotices, setDebitNotices] = useState<DebitNotices>();
  return (
    <MailChoicePage
      title="Emails about your debits"
      choice={debitNotices}
      save={(debitNotices) => call(setDebitNoticesByLink, { token, debitNotices })}
      saved="Saved. On your dashboard, under “Next debit”, you can change it again."
    >
      <DebitNoticesChoice value={debitNotices} onChange={setDebitNotices} />
    </MailChoicePage>
  );
}
