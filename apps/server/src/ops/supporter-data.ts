import { formatCents } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import type { Command } from 'commander';
import { revokeWithdrawn } from '#features/consents/withdraw-consent.ts';
import { sendMails } from '#features/emails/send-emails.ts';
import { closeSupporter } from '#features/offboarding/close-supporter.ts';
import type { Deletion } from '#features/offboarding/delete-bank-data.ts';
import { askForDeletion } from '#features/offboarding/delete-bank-data.ts';
import { exportSupporter } from '#features/offboarding/export-supporter.ts';
import { removeUserOf } from '#runtime/embedded-identity.ts';
import { dependencies, mailDependencies } from '#runtime/tasks.ts';
import { supporterByEmail, supporterWords } from './find-supporter.ts';
import { operate } from './operate.ts';

function outcome(deletion: Deletion): string {
  switch (deletion.result) {
    case 'deleted': {
      const { accounts, roundUps, droppedCents } = deletion;
      const dropped = formatCents(droppedCents);
      return `Deleted ${counted(accounts, 'account')} and ${counted(roundUps, 'purchase')}; ${dropped} not yet collected was dropped.`;
    }
    case 'debits under way':
      return `Still under way: ${counted(deletion.debits, 'debit')} of ${formatCents(deletion.totalCents)}; the daily run deletes the bank data afterwards.`;
    case 'in use':
      return 'The consent was given again meanwhile; nothing was deleted.';
    case 'nothing to delete':
      return 'There are no bank data.';
  }
}

/** Adds the commands `supporter export`, `close` and `delete-bank-data`. */
export function supporterDataCommands(program: Command): void {
  const supporter = program.commands.find((command) => command.name() === 'supporter') ?? program.command('supporter');

  const exporting = supporter
    .command('export')
    .argument('<supporter>', supporterWords)
    .description('everything held about a supporter, as JSON')
    .option('--with-account-numbers', 'also BSBs and account numbers, decrypted');
  operate(exporting, async (runtime, [email = ''], options) => {
    const { supporterId } = await supporterByEmail(runtime, email);
    const withAccountNumbers = options.withAccountNumbers === true;
    const json = await exportSupporter(runtime, supporterId, { withAccountNumbers });
    return { json, text: JSON.stringify(json, undefined, 2) };
  });

  const deleting = supporter
    .command('delete-bank-data')
    .argument('<supporter>', supporterWords)
    .description('withdraw the consent and delete what came from the bank, as soon as no debit is under way');
  operate(deleting, async (runtime, [email = '']) => {
    const { supporterId } = await supporterByEmail(runtime, email);
    const deps = dependencies(runtime);
    const deletion = await askForDeletion(deps, supporterId, 'operator');
    await revokeWithdrawn(deps, supporterId);
    await sendMails(mailDependencies(runtime));
    return { json: deletion, text: outcome(deletion) };
  });

  const closing = supporter
    .command('close')
    .argument('<supporter>', supporterWords)
    .description('close an account: cancel the mandate, withdraw the consent, delete bank data when due, end sign-in');
  operate(closing, async (runtime, [email = '']) => {
    const { supporterId } = await supporterByEmail(runtime, email);
    const deps = { ...dependencies(runtime), removeUser: removeUserOf(runtime) };
    const json = await closeSupporter(deps, supporterId, 'operator');
    await sendMails(mailDependencies(runtime));
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
