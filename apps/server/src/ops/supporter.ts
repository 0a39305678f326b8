import { type Cents, formatCents, longDay, printableLine, sydneyDateTime } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { findHold, holdSupporter, releaseSupporter } from '#features/collections/debits/hold-supporter.ts';
import { buildTimeline, type Timeline, textHashOf } from '#features/core/timeline/build-timeline.ts';
import { revokeWithdrawn } from '#features/supporters/consents/withdraw-consent.ts';
import { closeSupporter } from '#features/supporters/offboarding/close-supporter.ts';
import { askForDeletion, type Deletion } from '#features/supporters/offboarding/delete-bank-data.ts';
import { exportSupporter } from '#features/supporters/offboarding/export-supporter.ts';
import { maxCounted, type SupporterSearch, searchSupporters } from '#features/supporters/profiles/search-supporters.ts';
import { userRecord } from '#features/supporters/profiles/user-record.ts';
import { dependencies } from '#runtime/dependencies.ts';
import { removeUserOf } from '#runtime/remove-user.ts';
import { findOneSupporter } from './find-supporter.ts';
import type { OpsCommand } from './ops-command.ts';
import { supporterWords } from './supporter-words.ts';

export function supporterCommands(supporter: OpsCommand): void {
  supporterFindCommand(supporter);
  supporter
    .command('show')
    .argument('<supporter>', supporterWords)
    .description('the state of a supporter, without bank data')
    .carryOut(async (whole, [email]) => {
      const found = await findOneSupporter(whole, email ?? '');
      const { runtime, supporterId, tenantKey, onboardedOn, consentExpiresAt } = found;
      const { db } = runtime;
      const record = await userRecord(runtime, supporterId);
      const balances = await db<{ account: string; cents: Cents }[]>`
        select account, cents from ledger_balances where supporter_id = ${supporterId} order by account`;
      const json = {
        ...record,
        email: found.email,
        tenant: tenantKey,
        onboardedOn,
        consentExpiresAt,
        hold: (await findHold(db, supporterId)) ?? null,
        balances: Object.fromEntries(balances.map(({ account, cents }) => [account, cents])),
      };
      return { json, text: JSON.stringify(json, undefined, 2) };
    });
  supporter
    .command('hold')
    .argument('<supporter>', supporterWords)
    .description('stop debits from a supporter until released; round-ups still count')
    .requiredOption('--reason <text>', 'why, as shown in status')
    .carryOut(async (whole, [email], { reason }) => {
      const { runtime, supporterId } = await findOneSupporter(whole, email ?? '');
      const isNew = await holdSupporter(runtime.db, runtime.clock, supporterId, String(reason));
      return { json: { email, onHold: true, isNew }, text: `${email} ${isNew ? 'is' : 'was already'} on hold.` };
    });
  supporter
    .command('release')
    .argument('<supporter>', supporterWords)
    .description('let a held supporter be debited again; what is waiting goes with the next run')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .carryOut(async (whole, [email], { reason }) => {
      const { runtime, supporterId } = await findOneSupporter(whole, email ?? '');
      const wasHeld = await releaseSupporter(runtime.db, runtime.clock, supporterId, String(reason));
      return {
        json: { email, onHold: false, wasHeld },
        text: `${email} ${wasHeld ? 'is released' : 'was not on hold'}.`,
      };
    });
  dataCommands(supporter);
  timelineCommand(supporter);
}

const maxListed = 20;

export const leftOutWords = ({ leftOut, supporters }: Pick<SupporterSearch, 'leftOut' | 'supporters'>): string[] => {
  if (leftOut === 0) return [];
  const count = leftOut + supporters.length >= maxCounted ? `at least ${leftOut}` : leftOut;
  return [`${count} more ${leftOut === 1 ? 'is' : 'are'} left out; narrow the search.`];
};

/** Adds the command `supporter find`. */
function supporterFindCommand(supporter: OpsCommand): void {
  supporter
    .command('find <text...>')
    .description(
      `find supporters by e-mail address, by mobile number in any form, by the reference on a bank statement (its first nine letters do), or by the beginnings of names: "ann smi"; lists ${maxListed} and says how many more there are`,
    )
    .carryOut(
      async ({ db }, words) => {
        const found = await searchSupporters(db, words.join(' '), maxListed);
        const lines = found.supporters.map(
          ({ firstName, lastName, email, mobile, tenant, club, isClosed }) =>
            `${firstName} ${lastName}  ${email}  ${mobile}  ${tenant}  ${club}${isClosed ? '  closed' : ''}`,
        );
        const text = lines.length > 0 ? [...lines, ...leftOutWords(found)].join('\n') : `Nobody by that ${found.by}.`;
        return { json: found, text };
      },
      { secretWords: true },
    ); // names and numbers of people stay out of a log that is kept for ever
}

function outcome(deletion: Deletion): string {
  switch (deletion.result) {
    case 'deleted': {
      const { accounts, roundUps, droppedCents } = deletion;
      const dropped = formatCents(droppedCents);
      return `Deleted ${counted(accounts, 'account')} and ${counted(roundUps, 'purchase')}; ${dropped} not yet collected was dropped.`;
    }
    case 'debits under way':
      return `Still under way: ${counted(deletion.debits, 'debit')} of ${formatCents(deletion.totalCents)}; the daily run deletes the bank data afterwards.`;
    case 'refunds under way':
      return `Still under way: ${counted(deletion.refunds, 'refund')} of ${formatCents(deletion.totalCents)}; the daily run deletes the bank data afterwards.`;
    case 'in use':
      return 'Consent has since been given again; nothing was deleted.';
    case 'nothing to delete':
      return 'There is no bank data.';
  }
}

/** Adds the commands `supporter export`, `close` and `delete-bank-data`. */
function dataCommands(supporter: OpsCommand): void {
  supporter
    .command('export')
    .argument('<supporter>', supporterWords)
    .description('everything held about a supporter, as JSON')
    .option('--with-account-numbers', 'also BSBs and account numbers, decrypted')
    .carryOut(async (whole, [email = ''], options) => {
      const { runtime, supporterId } = await findOneSupporter(whole, email);
      const withAccountNumbers = options.withAccountNumbers === true;
      const json = await exportSupporter(runtime, supporterId, { withAccountNumbers });
      return { json, text: JSON.stringify(json, undefined, 2) };
    });

  supporter
    .command('delete-bank-data')
    .argument('<supporter>', supporterWords)
    .description('withdraw the consent and delete the bank data, as soon as no debit or refund is under way')
    .carryOut(async (whole, [email = '']) => {
      const { runtime, supporterId } = await findOneSupporter(whole, email);
      const deps = dependencies(runtime);
      const deletion = await askForDeletion(deps, supporterId, 'operator');
      await revokeWithdrawn(deps, supporterId);
      return { json: deletion, text: outcome(deletion) };
    });

  supporter
    .command('close')
    .argument('<supporter>', supporterWords)
    .description(
      'close a supporter for good: cancel the mandates, withdraw the consent, delete bank data when due, end sign-in',
    )
    .carryOut(async (whole, [email = '']) => {
      const { runtime, supporterId } = await findOneSupporter(whole, email);
      const deps = { ...dependencies(runtime), removeUser: removeUserOf(runtime) };
      const json = await closeSupporter(deps, supporterId, 'operator');
      const { inFlight, setAsideCents } = json;
      const lines = [
        json.identity === 'removed' ? 'The sign-in is removed.' : 'Remove the user in the Firebase console.',
        'The authority to debit and the consent are withdrawn.',
        json.bankData === 'debits under way'
          ? `Still under way: ${counted(inFlight.debits, 'debit')} of ${formatCents(inFlight.totalCents)}; the bank data are deleted afterwards.`
          : `Bank data: ${json.bankData}.`,
        ...(setAsideCents > 0
          ? [`${formatCents(setAsideCents)} is set aside and goes to the savings account with the next deposits.`]
          : []),
      ];
      return { json, text: lines.join('\n') };
    });
}

function asText({ events, auditLog }: Timeline): string {
  const width = 'Wed 25 Nov 2026 06:00:02'.length + 2;
  const lines = events.map(({ at, on, sentence, fact }) => {
    const when = on ? longDay(on) : sydneyDateTime(new Date(at));
    const hash = textHashOf(fact);
    const text = hash ? ` See the text: npm run -s ops -- direct-debit-text ${hash}` : '';
    return when.padEnd(width) + printableLine(sentence) + text;
  });
  const chain = auditLog.isWhole ? 'as they were written, none missing' : 'CHANGED OR INCOMPLETE: see ops audit';
  return [...lines, `${auditLog.entries} entries of the audit log: ${chain}. Times are Sydney times.`].join('\n');
}

/** Adds the command `supporter timeline`. */
function timelineCommand(supporter: OpsCommand): void {
  supporter
    .command('timeline')
    .argument('<supporter>', supporterWords)
    .description('everything that happened to a supporter, in order, for a dispute; account numbers are masked')
    .carryOut(async (whole, [email = '']) => {
      const { runtime, supporterId } = await findOneSupporter(whole, email);
      const json = await buildTimeline(runtime.db, supporterId);
      return { json, text: asText(json), failed: !json.auditLog.isWhole };
    });
}
