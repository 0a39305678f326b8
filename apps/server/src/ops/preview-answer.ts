import { type Cents, formatCents, longDay } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import type { PreviewedStatement } from '#features/accounting/bank-statements/preview-statement.ts';

const balance = (amount: Cents | null): string => (amount === null ? 'not stated' : formatCents(amount));

const daysIn = ({ firstDay, lastDay }: PreviewedStatement): string =>
  firstDay && lastDay ? `${longDay(firstDay)} to ${longDay(lastDay)}` : 'no days';

const lineText = ({ bookedOn, cents, state, matches, description }: PreviewedStatement['first'][number]): string => {
  const mark = matches ? 'new, matches' : state.replaceAll('_', ' ');
  return `${bookedOn}  ${formatCents(cents).padStart(14)}  ${mark.padEnd(12)}  ${description}`;
};

/** Prints what an import would do. */
export function previewAnswer(json: PreviewedStatement) {
  const { format, bank, account, isNewAccount, lines, added, known, doubtful, matching, odd, question, first } = json;
  const inDoubt = doubtful > 0 ? `, ${doubtful} in doubt` : '';
  const text = [
    `${format}${bank ? ` of ${bank}` : ''}, ${account}${isNewAccount ? ' (new)' : ''}, ${daysIn(json)}`,
    `opening balance ${balance(json.openingCents)}, closing balance ${balance(json.closingCents)}`,
    `${counted(lines, 'line')}: ${added} new, of which ${matching} would match, ${known} known${inDoubt}`,
    ...odd,
    ...(question ? [question.message] : []),
    ...first.map(lineText),
    ...(lines > first.length ? [`and ${counted(lines - first.length, 'more line')}`] : []),
    'Nothing was booked.',
  ];
  return { json, text: text.join('\n') };
}
