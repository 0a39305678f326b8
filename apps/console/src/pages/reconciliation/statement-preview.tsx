import type { importStatement, PreviewedStatement } from '@sparechange/contract/console';
import { type Cents, described, formatCents, longDay, shortDay } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { Checkbox } from '@sparechange/web/ui/checkbox.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import type { z } from 'zod';
import { Select, useTyped } from '../../ui/filters.tsx';
import { type Column, Table } from '../../ui/list.tsx';
import { Fold, Note, Pairs, Tag } from '../../ui/page.tsx';
import styles from './import-statement.module.css';

/** A person's answers about a file. */
export type Answers = Pick<
  z.input<typeof importStatement.input>,
  'account' | 'isNewAccount' | 'changedLines' | 'acceptedCents' | 'mapping' | 'asksColumns' | 'accountInFile'
>;

interface Answering {
  answers: Answers;
  onAnswer: (more: Answers) => void;
}

type Line = PreviewedStatement['first'][number];

const stateInWords = ({ state, matches }: Line): string => {
  if (state === 'in_doubt') return 'In doubt';
  if (state === 'known') return 'Known';
  return matches ? 'New, matches' : 'New';
};

const toneOf = ({ matches, state }: Line) => (matches ? 'good' : state === 'in_doubt' ? 'bad' : 'plain');

/** "15 Jan". */
const dayInShort = (day: Line['bookedOn']): string => shortDay(day).replace(/^\w+ /, '');

/** Where all lines are new and match nothing, the count above says so once. */
const columnsOf = ({ known, doubtful, matching }: PreviewedStatement): Column<Line>[] => [
  {
    title: 'Day',
    text: ({ bookedOn }) => bookedOn,
    show: ({ bookedOn }) => <span className={styles.day}>{dayInShort(bookedOn)}</span>,
    isSecondary: true,
  },
  {
    title: 'Description',
    text: ({ description }) => described(description),
    show: (line) => (
      <span className={styles.words}>
        <span className={styles.dayBelow}>{dayInShort(line.bookedOn)} </span>
        {described(line.description)}{' '}
        {known + doubtful + matching > 0 && <Tag tone={toneOf(line)}>{stateInWords(line)}</Tag>}
      </span>
    ),
  },
  { title: 'Amount', text: ({ cents }) => formatCents(cents), isAmount: true },
];

const balance = (amount: Cents | null): string => (amount === null ? 'Not in the file' : formatCents(amount));

function daysOf({ firstDay, lastDay }: PreviewedStatement): string {
  if (!firstDay || !lastDay) return 'None';
  return firstDay === lastDay ? longDay(firstDay) : `${shortDay(firstDay)} to ${longDay(lastDay)}`;
}

/** The numbers of lines by what becomes of them. */
function Counts({ of: { added, known, doubtful, matching } }: { of: PreviewedStatement }) {
  const counts = [
    ['New', added],
    ['Match at once', matching],
    ['Known already', known],
    ...(doubtful > 0 ? ([['In doubt', doubtful]] as const) : []),
  ] as const;
  return (
    <Pairs className={styles.counts} rows={counts.map(([name, count]) => [name, count.toLocaleString('en-AU')])} />
  );
}

/** Shows a file's contents, and the effect of an import. */
export function StatementPreview({ of, answers, onAnswer }: { of: PreviewedStatement } & Answering) {
  const { format, bank, account, isNewAccount, lines, odd, first } = of;
  return (
    <div className={styles.preview}>
      <Counts of={of} />
      <Pairs
        className={styles.facts}
        rows={[
          ['File', bank ? `${format} of ${bank}` : format],
          ['Account', isNewAccount ? `${account}, for the first time` : account],
          ['Days', daysOf(of)],
          ['Lines', lines.toLocaleString('en-AU')],
          ['Opening balance', balance(of.openingCents)],
          ['Closing balance', balance(of.closingCents)],
        ]}
      />
      {odd.map((words) => (
        <Notice key={words} kind="information">
          {words}
        </Notice>
      ))}
      <QuestionOf of={of} answers={answers} onAnswer={onAnswer} />
      {first.length > 0 && (
        <Table name="First lines" columns={columnsOf(of)} rows={first} keyOf={(_line, place) => String(place)} />
      )}
      {lines > first.length && <Note>And {counted(lines - first.length, 'more line')}.</Note>}
    </div>
  );
}

const changedOptions = [
  { value: 'same', label: 'The same as known ones: nothing is booked for them' },
  { value: 'new', label: 'New: they are booked too' },
];

/** A question that is open, or has been answered here. */
function QuestionOf({ of: { question, added }, answers, onAnswer }: { of: PreviewedStatement } & Answering) {
  return (
    <>
      {question && <Notice>{question.message}</Notice>}
      {(question?.question === 'changedLines' || answers.changedLines) && (
        <Select
          label="The lines in doubt are"
          {...(answers.changedLines ? {} : { all: 'Please choose' })}
          value={answers.changedLines ?? ''}
          options={changedOptions}
          onChange={(chosen) => onAnswer({ changedLines: chosen === 'new' ? 'new' : 'same' })}
        />
      )}
      {(question?.question === 'acceptedCents' || (answers.acceptedCents && added > 0)) && (
        <Checkbox
          label={`Import all the same, ${formatCents(question?.askedCents ?? (answers.acceptedCents as Cents))} apart`}
          checked={!question}
          onChange={({ target }) => onAnswer({ acceptedCents: target.checked ? question?.askedCents : undefined })}
        />
      )}
    </>
  );
}

/** The number of the account, for files that do not say it. */
export function AccountOfFile({
  problem,
  isOpen,
  answers,
  onAnswer,
}: Answering & { problem: string | undefined; isOpen: boolean }) {
  const [typed, setTyped] = useTyped(answers.account ?? '', (account) => onAnswer({ account: account || undefined }));
  const fields = (
    <div className={styles.account}>
      <TextField
        label="Account number"
        value={typed}
        maxLength={40}
        inputMode="numeric"
        hint="Kept masked. Without one it is the account of the statements before."
        error={problem}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Checkbox
        label="This account was never imported before"
        checked={answers.isNewAccount ?? false}
        onChange={({ target }) => onAnswer({ isNewAccount: target.checked || undefined })}
      />
    </div>
  );
  return isOpen ? fields : <Fold title="It is another account">{fields}</Fold>;
}
