import { type BookFormat, downloadPayouts } from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { problemOf, sentenceOf } from '#api/call-problem.ts';
import { saveFile } from '../ui/save-file.ts';
import styles from './payouts.module.css';

/** Keeps what somebody typed for the next time in this browser. */
function useKept(name: string, first: string) {
  const [value, setValue] = useState(() => localStorage.getItem(name) ?? first);
  return [
    value,
    (typed: string) => {
      localStorage.setItem(name, typed);
      setValue(typed);
    },
  ] as const;
}

type Of = { clubId: string; payoutId: string } | { clubId: string; year: number };

/** Saves a payout or a year as a paper, a spreadsheet, or for Xero and MYOB, which ask for the accounts of the books. */
export function BookFiles(of: Of) {
  const [income, setIncome] = useKept(`account for gifts ${of.clubId}`, '260');
  const [bank, setBank] = useKept(`bank account ${of.clubId}`, '');
  const save = useMutation({
    mutationFn: async (format: BookFormat) => saveFile(await call(downloadPayouts, { ...of, format, income, bank })),
  });
  const button = (format: BookFormat, label: string) => (
    <Button
      look="secondary"
      isBusy={save.isPending && save.variables === format}
      disabled={save.isPending}
      onClick={() => save.mutate(format)}
    >
      {label}
    </Button>
  );
  return (
    <div className={styles.files}>
      <div className={styles.buttons}>
        {button('pdf', 'PDF')}
        {button('csv', 'CSV')}
        {button('xero', 'Xero')}
        {button('myob', 'MYOB')}
      </div>
      <div className={styles.accounts}>
        <TextField
          label="Account for gifts"
          hint="For Xero and MYOB"
          value={income}
          maxLength={30}
          error={problemOf(save.error, 'income')}
          onChange={(event) => setIncome(event.target.value)}
        />
        <TextField
          label="Bank account"
          hint="For MYOB, as 1-1110"
          value={bank}
          maxLength={30}
          error={problemOf(save.error, 'bank')}
          onChange={(event) => setBank(event.target.value)}
        />
      </div>
      {sentenceOf(save.error) && <Notice>{sentenceOf(save.error)}</Notice>}
    </div>
  );
}
