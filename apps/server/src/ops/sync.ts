import { formatCents } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import type { Command } from 'commander';
import { sendMails } from '#features/emails/send-emails.ts';
import { runConsents } from '#features/offboarding/run-consents.ts';
import { pollOutcomes } from '#features/outcomes/poll-outcomes.ts';
import { syncEverybody, syncPurchases } from '#features/round-ups/sync-purchases.ts';
import { handleNotifications } from '#features/webhooks/handle-notifications.ts';
import { bankNotAnswering, consentDependencies, dependencies, mailDependencies, tallied } from '#runtime/tasks.ts';
import { supporterByEmail, supporterWords } from './find-supporter.ts';
import { operate } from './operate.ts';

export function syncCommand(program: Command): void {
  const command = program
    .command('sync')
    .description('fetch transactions from the bank and record round-ups')
    .option('--supporter <supporter>', `only this supporter, ${supporterWords}`);
  operate(command, async (runtime, _words, { supporter: email }) => {
    const deps = dependencies(runtime);
    const failures: string[] = [];
    const { failed, ...json } =
      typeof email === 'string'
        ? { ...(await syncPurchases(deps, (await supporterByEmail(runtime, email)).supporterId)), failed: 0 }
        : await syncEverybody(deps, (supporterId, error) => failures.push(`${supporterId}: ${error.message}`));
    const money = formatCents(json.roundUpCents);
    const text = `${counted(json.transactions, 'transaction')}, ${counted(json.roundUps, 'new round-up')}, ${money}`;
    return failed > 0
      ? { json: { ...json, failed }, text: [text, ...failures].join('\n'), failed: true }
      : { json, text };
  });
}

export function settleCommand(program: Command): void {
  const command = program
    .command('settle')
    .description('collect outcomes: kept notifications first, then what a poll finds');
  operate(command, async (runtime) => {
    const deps = dependencies(runtime);
    await handleNotifications({ ...deps, enqueueSync: async () => {} });
    const json = await pollOutcomes(deps);
    await sendMails(mailDependencies(runtime));
    return { json, text: `${json.cleared} cleared, ${json.returned} returned, ${json.pending} pending` };
  });
}

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
