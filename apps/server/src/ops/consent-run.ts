import type { Command } from 'commander';
import { sendMails } from '#features/emails/send-emails.ts';
import { runConsents } from '#features/offboarding/run-consents.ts';
import { bankNotAnswering, consentDependencies, mailDependencies, tallied } from '#runtime/tasks.ts';
import { operate } from './operate.ts';

export function consentRunCommand(program: Command): void {
  const command = program
    .command('consent-run')
    .description('look at every consent: expiries, reminders, and bank data that are due for deletion');
  operate(command, async (runtime) => {
    const json = await tallied(runtime, bankNotAnswering, (onFailure) =>
      runConsents(consentDependencies(runtime), onFailure),
    );
    await sendMails(mailDependencies(runtime));
    const { expired, reminded, deleted, failed } = json;
    const text = `${expired} ended, ${reminded} reminded, bank data of ${deleted} deleted; the bank link gave no answer for ${failed}`;
    return { json, text };
  });
}
