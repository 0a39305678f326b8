import type { Command } from 'commander';
import { sendMails } from '#features/emails/send-emails.ts';
import { pollOutcomes } from '#features/outcomes/poll-outcomes.ts';
import { handleNotifications } from '#features/webhooks/handle-notifications.ts';
import { dependencies, mailDependencies } from '#runtime/tasks.ts';
import { operate } from './operate.ts';

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
