import { BookFormat, downloadPayouts, downloadPayoutsOfDays, type FileAnswer } from '@sparechange/contract/console';
import { addDays, type IsoDate, monthStart } from '@sparechange/domain';
import { Button } from '@sparechange/web/ui/button.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '#api/call.ts';
import { problemOf } from '#api/call-problem.ts';
import { Failure } from '../ui/failure.tsx';
import { saveFile } from '../ui/save-file.ts';
import styles from './payouts.module.css';

/** Keeps a typed value in this browser for next time. */
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

/** The codes of a club's accounts in its books. */
interface BookAccounts {
  income: string;
  bank: string;
}

type BookFilesProps = { clubId: string; payoutId: string } | { clubId: string; year: number };

/** Downloads a payout or a financial year as PDF or CSV, or for bookkeeping programs. */
export const BookFiles = (of: BookFilesProps) => (
  <Files clubId={of.clubId} make={(format, accounts) => call(downloadPayouts, { ...of, ...accounts, format })} />
);

/** Downloads the payouts of chosen days as PDF or CSV, or for bookkeeping programs; at first those of the month before. */
export function BookFilesOfDays({ clubId, today }: { clubId: string; today: IsoDate }) {
  const [from, setFrom] = useState<string>(monthStart(addDays(monthStart(today), -1)));
  const [to, setTo] = useState<string>(addDays(monthStart(today), -1));
  return (
    <Files
      clubId={clubId}
      days={{ from, to }}
      make={(format, accounts) => call(downloadPayoutsOfDays, { clubId, from, to, ...accounts, format })}
    >
      {(problem) => (
        <div className={styles.accounts}>
          <TextField
            label="From"
            hint="The first day of payment"
            type="date"
            value={from}
            error={problem('from')}
            onChange={({ target }) => setFrom(target.value)}
          />
          <TextField
            label="To"
            hint="The last, within a year"
            type="date"
            value={to}
            error={problem('to')}
            onChange={({ target }) => setTo(target.value)}
          />
        </div>
      )}
    </Files>
  );
}

interface FilesProps {
  clubId: string;
  make: (format: BookFormat, accounts: BookAccounts) => Promise<FileAnswer>;
  /** The fields above the buttons, as they are filled in. */
  days?: { from: string; to: string };
  /** Fields above the buttons; receives the server's field problem. */
  children?: (problem: (field: string) => string | undefined) => ReactNode;
}

const formatNames = {
  ...{ pdf: 'PDF', csv: 'CSV', xero: 'Xero', myob: 'MYOB' },
  ...{ ofx: 'OFX', camt053: 'camt.053', journal: 'Journal' },
} satisfies Record<BookFormat, string>;
const formats = BookFormat.options;

/** The account codes that a format asks for; the other formats are saved by one press. */
const accountsOf = {
  xero: ['income'],
  myob: ['income', 'bank'],
  journal: ['income', 'bank'],
} as const satisfies Partial<Record<BookFormat, readonly (keyof BookAccounts)[]>>;
type AskingFormat = keyof typeof accountsOf;
const asksFor = (format: BookFormat): format is AskingFormat => format in accountsOf;

const fieldsOf = {
  income: {
    label: 'Income account',
    hint: { xero: 'Its code, such as 260', myob: 'Its code, such as 4-1000', journal: 'Such as Income:Donations' },
  },
  bank: {
    label: 'Bank account',
    hint: {
      ...{ xero: '', myob: 'Where deposits arrive, such as 1-1110' },
      journal: 'Where deposits arrive, such as Assets:Bank',
    },
  },
};

/** A button for each format; Xero, MYOB and the journal then ask for the club's accounts. */
function Files({ clubId, make, days, children }: FilesProps) {
  const [income, setIncome] = useStoredValue(`income account ${clubId}`, '260');
  const [bank, setBank] = useStoredValue(`bank account ${clubId}`, '');
  const [asking, setAsking] = useState<AskingFormat>();
  const typed: Record<string, string> = { income, bank, ...days };
  const save = useMutation({
    mutationFn: async ({ format }: { format: BookFormat; typed: typeof typed }) =>
      saveFile(await make(format, { income, bank })),
  });
  const problem = (field: string) =>
    problemOf(save.error, field, typed[field] === save.variables?.typed[field] ? [] : [typed[field]]);
  const setters = { income: setIncome, bank: setBank };
  const press = (format: BookFormat) => {
    setAsking(asksFor(format) && asking !== format ? format : undefined);
    if (!asksFor(format)) save.mutate({ format, typed });
  };
  return (
    <div className={styles.files}>
      {children?.(problem)}
      <div className={styles.buttons}>
        {formats.map((format) => (
          <Button
            key={format}
            look="secondary"
            aria-expanded={asksFor(format) ? asking === format : undefined}
            isBusy={save.isPending && save.variables.format === format && asking !== format}
            disabled={save.isPending}
            onClick={() => press(format)}
          >
            {formatNames[format]}
          </Button>
        ))}
      </div>
      {asking && (
        <div className={styles.asked}>
          <div className={styles.accounts}>
            {accountsOf[asking].map((account) => (
              <TextField
                key={account}
                label={fieldsOf[account].label}
                hint={fieldsOf[account].hint[asking]}
                value={typed[account]}
                maxLength={30}
                error={problem(account)}
                onChange={({ target }) => setters[account](target.value)}
              />
            ))}
          </div>
          <Button isBusy={save.isPending} onClick={() => save.mutate({ format: asking, typed })}>
            {asking === 'journal' ? 'Save the journal' : `Save for ${formatNames[asking]}`}
          </Button>
        </div>
      )}
      <Failure of={save.error} />
    </div>
  );
}
