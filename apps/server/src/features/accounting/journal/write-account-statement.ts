import { createHash } from 'node:crypto';
import { addDays, type Cents, longDay, negate } from '@sparechange/domain';
import type { Pool } from '#db/connect.ts';
import { type PlatformAccount, platformAssets } from '#features/accounting/bookkeeping/platform-accounts.ts';
import { type StatementFormat, statementFormats } from '#features/disbursements/remittance-advice/statement-files.ts';
import { journalTitle } from './journal-accounts.ts';
import { type AccountEntry, accountEntries, sumUntil } from './journal-repository.ts';
import type { JournalDays } from './write-journal.ts';

export interface AccountStatement extends JournalDays {
  account: PlatformAccount;
  format: keyof typeof statementFormats;
  holder: string;
  madeAt: Date;
}

/** Returns a permanent id of an entry, short enough for each format. */
const idOf = ({ kind, source, club }: AccountEntry): string =>
  createHash('sha256').update(`${kind}\n${source}\n${club}`).digest('hex').slice(0, 32);

/**
 * Writes one of the platform's accounts as a bank's statement, in pieces of one page. Amounts are on the account's own
 * side: what it gained is incoming.
 */
export async function* writeAccountStatement(
  db: Pool,
  { account, format, holder, madeAt, from, to }: AccountStatement,
): AsyncGenerator<string> {
  const isAsset = platformAssets.some((asset) => asset === account);
  const onOwnSide = (cents: Cents): Cents => (isAsset ? cents : negate(cents));
  const { head, entry, end }: StatementFormat = statementFormats[format];
  const statement = {
    account: account.replaceAll('_', '-').toUpperCase(),
    kind: 'LEDGER',
    ...{ holder, madeAt, from, to },
    openingCents: onOwnSide(await sumUntil(db, account, addDays(from, -1))),
    closingCents: onOwnSide(await sumUntil(db, account, to)),
  };
  yield head(statement);
  for await (const page of accountEntries(db, account, { from, to }))
    yield page
      .map((each) => {
        const title = journalTitle('platform', each.kind);
        const bank = each.bankDay && `Bank's day ${longDay(each.bankDay)}: ${each.bankWords ?? ''}`;
        const words = [bank, title, each.source, each.reason].filter(Boolean).join(' ');
        return entry({
          id: idOf(each),
          day: each.day,
          cents: onOwnSide(each.cents),
          payee: each.bankWords || title,
          words,
        });
      })
      .join('');
  yield end(statement);
}
