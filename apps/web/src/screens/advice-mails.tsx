import { type AdviceFrequency, setAdviceFrequencyByLink } from '@sparechange/contract';
import { useState } from 'react';
import { useParams } from 'react-router';
import { call } from '#api/call.ts';
import { MailChoicePage } from '#features/tenants/mail-choice-page.tsx';
import { Choice } from '#ui/choice.tsx';

const options = [
  { value: 'each_payout', label: 'Each payout' },
  { value: 'weekly', label: 'Weekly' },
  { value: 'monthly', label: 'Monthly' },
] as const;

/** /advice-mails/:token, from remittance advices: a treasurer chooses how often to be mailed. Opening it changes nothing. */
export default function AdviceMails() {
  const { token = '' } = useParams();
  const [frequency, setFrequency] = useState<AdviceFrequency>();
  return (
    <MailChoicePage
      title="Emails about payouts to your club"
      choice={frequency}
      save={(frequency) => call(setAdviceFrequencyByLink, { token, frequency })}
      saved="Saved. Nothing is left out: payments in between are in the next email, each with its documents."
    >
      <Choice
        legend="Email us what was paid..."
        options={options}
        value={frequency}
        onChange={setFrequency}
        columns={1}
      />
    </MailChoicePage>
  );
}
