import * as contract from '@sparechange/contract/console';
import { type Cents, cents, type IsoDate, sydneyTime, total } from '@sparechange/domain';
import { InvalidInput, NotFound, Unavailable } from '#errors.ts';
import { beginImport, listImports } from '#features/accounting/bank-statements/import-in-background.ts';
import type { lineMatch } from '#features/accounting/bank-statements/line-match-act.ts';
import { lineMatchInWords } from '#features/accounting/bank-statements/match-by-hand.ts';
import { matchOpenLines } from '#features/accounting/bank-statements/match-lines.ts';
import { previewOrAsk } from '#features/accounting/bank-statements/preview-statement.ts';
import { findLine, listLinesOfDay } from '#features/accounting/bank-statements/statement-line-repository.ts';
import { takeBackStatement } from '#features/accounting/bank-statements/take-back.ts';
import {
  type Difference,
  furthestBackDays,
  type ReconcileDeps,
  reconcilePayments,
} from '#features/accounting/reconciliation/reconcile-payments.ts';
import { type AskedFor, presentAsked } from '#features/core/approvals/approved-acts.ts';
import { pageOf } from '#http/page-of.ts';
import { consoleActor, type ServeConsole } from '#http/serve-console.ts';
import { today } from '#ports/clock.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import { type BookCheck, listBookChecks } from './book-check-repository.ts';
import { type ClubReceivable, listClubReceivables } from './club-receivables.ts';
import {
  type PlatformAccount,
  platformAccounts,
  platformAssets,
  platformLiabilities,
  readPlatformBooks,
} from './platform-accounts.ts';
import { readDay } from './reconciled-day.ts';

interface ReconciliationRouteDeps extends ReconcileDeps {
  acts: AskedFor<{ lineMatch: typeof lineMatch }>;
  encryption: Pick<FieldEncryption, 'hash'>;
}

const msPerDay = 86_400_000;
const maxShown = 100;
const maxImportsShown = 5;

const matchCodes = {
  behind: 'behind',
  'missing here': 'missing_here',
  'missing there': 'missing_there',
  'amount differs': 'amount_differs',
  'outcome differs': 'outcome_differs',
  parked: 'parked',
} as const;

const presentDifference = ({
  match,
  kind,
  id,
  reference,
  ours,
  cents: own,
  theirRef,
  theirs,
  theirCents,
}: Difference) =>
  match === 'matched' || match === 'not sent'
    ? []
    : [
        {
          id: `${kind} ${id ?? theirRef}`,
          match: matchCodes[match],
          kind,
          reference,
          ours: ours ?? null,
          cents: own,
          theirs: theirs ?? null,
          theirCents,
        },
      ];

const presentCheck = ({ kind, startedAt, tookMs, coveredUntil, found, leftOut }: Required<BookCheck>) => ({
  id: `${kind} ${startedAt.toISOString()}`,
  kind,
  startedAt: startedAt.toISOString(),
  tookMs,
  coveredUntil,
  found,
  leftOut,
});

const amountsOf = (amounts: Partial<Record<string, Cents>>, accounts: readonly string[]) =>
  accounts.map((account) => ({ account, cents: amounts[account] ?? cents(0) }));

const isAsset = (account: PlatformAccount): boolean => platformAssets.some((asset) => asset === account);

const sumOf = (receivables: ClubReceivable[]) => ({
  clubs: receivables.length,
  cents: total(receivables.map(({ cents }) => cents)),
});

/** Returns the debts after the previous page's last one. */
function receivablesAfter(receivables: ClubReceivable[], after: string | undefined): ClubReceivable[] {
  if (after === undefined) return receivables;
  const [amount = '', lastClub = ''] = after.split(' ');
  const last = Number(amount);
  return receivables.filter(({ clubId, cents }) => cents < last || (cents === last && clubId > lastClub));
}

/** Returns the days from one to now, to ask the provider about. */
function daysSince(day: IsoDate, now: Date): number {
  const days = Math.ceil((now.getTime() - sydneyTime(day, '00:00').getTime()) / msPerDay);
  if (days < 1 || days > furthestBackDays) {
    const words = `The provider tells of the last ${furthestBackDays} days`;
    throw new InvalidInput(`${words}.`, { day: words });
  }
  return days;
}

/** Serves bank statement, provider and ledger side by side, and the acts that reconcile them. */
export function reconciliationRoutes(serve: ServeConsole, deps: ReconciliationRouteDeps): void {
  const { db, clock, encryption, acts } = deps;

  serve.person(contract.retrieveDay, async ({ day }, caller) => {
    const { bank, provider, ledger, comparison } = await readDay(db, day);
    const seesLines = contract.refusalOfCall(contract.listStatementLines, caller, {}) === undefined;
    const rows = comparison.rows.map((row) => (seesLines ? row : { ...row, description: null }));
    return {
      bank,
      ledger,
      provider: provider && { ...provider, readAt: provider.readAt.toISOString() },
      comparison: { ...comparison, rows },
    };
  });

  serve.person(contract.listStatementLines, async ({ limit, ...filter }) =>
    pageOf(await listLinesOfDay(db, { ...filter, limit: limit + 1 }), limit, ({ cursor }) => cursor),
  );

  serve.person(contract.matchStatementLine, async (match, caller) => {
    const line = await findLine(db, match.account, match.lineId);
    if (!line) throw new NotFound('The line');
    const tried = await acts.lineMatch(consoleActor(caller), match, lineMatchInWords(match, line));
    return { isNew: 'result' in tried && tried.result === 'matched', asked: presentAsked(tried) };
  });

  serve.person(contract.importStatement, async (input, _caller, { patiently }) => {
    const { content, packing, isNewAccount, fileName, ...given } = input;
    const bytes = Buffer.from(content, 'base64');
    const answers = { ...given, isNew: isNewAccount };
    const how = { isPacked: packing === 'gzip' };
    const { id, work } = await beginImport({ db, clock, encryption }, fileName, bytes, answers, how);
    return (await patiently(work)) ?? { underWay: id };
  });

  serve.person(contract.previewStatement, async (input, _caller, { patiently }) => {
    const { content, packing, isNewAccount, fileName: _name, ...given } = input;
    const bytes = Buffer.from(content, 'base64');
    const how = { isPacked: packing === 'gzip' };
    const previewed = await patiently(previewOrAsk(deps, bytes, { ...given, isNew: isNewAccount }, how));
    if (!previewed) throw new Unavailable('The file takes long to read. Please import fewer days at a time.');
    return previewed;
  });

  serve.person(contract.takeBackStatement, ({ statementId }, caller) =>
    takeBackStatement({ db, clock, by: consoleActor(caller) }, statementId),
  );

  serve.person(contract.listStatementImports, async () => {
    const imports = await listImports(db, clock, maxImportsShown);
    return { imports: imports.map((each) => ({ ...each, startedAt: each.startedAt.toISOString() })) };
  });

  serve.person(contract.retrieveTrustBalance, async () => {
    const { closedUntil, balances, shortfalls } = await readPlatformBooks(db);
    return {
      today: today(clock),
      closedUntil,
      held: amountsOf(balances, ['trust_bank', 'provider_float']),
      owed: amountsOf(balances, platformLiabilities),
      shortfalls: amountsOf(shortfalls, Object.keys(shortfalls)),
      receivable: sumOf(await listClubReceivables(db)),
    };
  });

  serve.person(contract.listLedgerAccounts, async () => {
    const { closedUntil, balances } = await readPlatformBooks(db);
    const rows = platformAccounts.map((account) => ({
      id: account,
      account,
      side: isAsset(account) ? ('asset' as const) : ('liability' as const),
      cents: balances[account],
      closedUntil,
    }));
    return { rows, next: null };
  });

  serve.person(contract.listReceivables, async ({ limit, after }) => {
    const rest = receivablesAfter(await listClubReceivables(db), after);
    const rows = rest.map(({ clubId, club, cents }) => ({ id: clubId, club, cents }));
    return pageOf(rows, limit, ({ id, cents }) => `${cents} ${id}`);
  });

  serve.person(contract.listBookChecks, async ({ limit, after }) => {
    const checks = await listBookChecks(db, limit + 1, after === undefined ? undefined : new Date(after));
    return pageOf(checks.map(presentCheck), limit, ({ startedAt }) => startedAt);
  });

  const reconcileSince = once((day) => reconcileAgain(deps, daysSince(day, clock.now())));

  serve.person(contract.reconcileAgain, async ({ day }, _caller, { patiently }) => {
    const { work, forget } = reconcileSince(day);
    const reconciled = await patiently(work);
    if (!reconciled) throw new Unavailable('The provider still lists its payments. Please ask again in a minute.');
    forget();
    return reconciled;
  });
}

async function reconcileAgain(deps: ReconcileDeps, days: number) {
  const found = await reconcilePayments(deps, days);
  const { open } = await matchOpenLines(deps);
  const differing = found.missingHere + found.missingThere + found.different;
  const differences = found.differences.slice(0, maxShown).flatMap(presentDifference);
  return { matched: found.matched, differing, differences, openLines: open };
}

/** Time that a result is kept for later callers if it took longer than a call. */
const keptForMs = 5 * 60_000;

/** Works once for all concurrent callers of a day, and keeps the result until somebody has read it. */
function once<Result>(work: (day: IsoDate) => Promise<Result>) {
  const underWay = new Map<IsoDate, Promise<Result>>();
  return (day: IsoDate) => {
    const mine = underWay.get(day) ?? work(day);
    const forget = () => void (underWay.get(day) === mine && underWay.delete(day));
    if (!underWay.has(day)) {
      underWay.set(day, mine);
      mine.then(() => setTimeout(forget, keptForMs).unref(), forget);
    }
    return { work: mine, forget };
  };
}
