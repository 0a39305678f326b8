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

/** Keeps a typed value in this browser for the next time. */
function useStoredValue(name: string, first: string) {
  const [value, setValue] = useState(() => localStorage.getItem(name) ?? first);
  return [
    value,
    (typed: string) => {
      localStorage.setItem(name, typed);
      setValue(typed);
    },
  ] as const;
}

type BookFilesProps = { clubId: string; payoutId: string } | { clubId: string; year: number };

/** Downloads a payout or a financial year as PDF or CSV, or for Xero and MYOB, which need the codes of the club's accounts. */
export function BookFiles(of: BookFilesProps) {
  const [income, setIncome] = useStoredValue(`income account ${of.clubId}`, '260');
  const [bank, setBank] = useStoredValue(`bank account ${of.clubId}`, '');
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
          label="Income account"
          hint="Its code in Xero or MYOB"
          value={income}
          maxLength={30}
          error={problemOf(save.error, 'income')}
          onChange={(event) => setIncome(event.target.value)}
        />
        <TextField
          label="Bank account"
          hint="Its code in MYOB, such as 1-1110"
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
