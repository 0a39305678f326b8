import { counted } from '@sparechange/domain/counted';
import type { Command } from 'commander';
import { decideReviews, listOpenReviews, type OpenReview } from '#features/accounts/holder-review.ts';
import type { Runtime } from '#runtime/compose.ts';
import { supporterByEmail } from './find-supporter.ts';
import { operate } from './operate.ts';

/** Asks the bank for the holder's name, without keeping it. */
async function withHolder({ bankLink }: Runtime, review: OpenReview) {
  const accounts = await bankLink.listAccounts(review.bankCustomerId).catch(() => []);
  const holder = accounts.find(({ id }) => id === review.providerAccountId)?.holder ?? 'not named now';
  return { ...review, holder };
}

/** Adds commands for funding accounts in somebody else's name. */
export function holderReviewCommands(program: Command): void {
  const reviews = program
    .command('holder-reviews')
    .description("funding accounts in a name that is not the supporter's");

  operate(
    reviews.command('list').description('what waits for a decision, with the name the bank gives'),
    async (runtime) => {
      const waiting = [];
      for (const review of await listOpenReviews(runtime.db)) waiting.push(await withHolder(runtime, review));
      const json = waiting.map(({ supporterId, email, name, holder, accountName, maskedNumber, askedAt }) => ({
        ...{ supporterId, email, name, holder },
        ...{ accountName, maskedNumber, askedAt },
      }));
      const lines = json.map(
        ({ email, name, holder, accountName, maskedNumber }) =>
          `${email} (${name}): ${accountName} ${maskedNumber}, held by ${holder}`,
      );
      return { json: { waiting: json }, text: lines.join('\n') || 'nothing waits for a decision' };
    },
  );

  for (const [name, decision, about] of [
    ['approve', 'approved', 'let a supporter choose the account that waits; they are mailed'],
    ['refuse', 'refused', 'keep a supporter from choosing it; they are mailed'],
  ] as const) {
    operate(reviews.command(name).argument('<email>').description(about), async (runtime, [email = '']) => {
      const { supporterId } = await supporterByEmail(runtime, email);
      const accounts = await decideReviews(runtime, supporterId, decision);
      return { json: { accounts }, text: `${counted(accounts, 'account')} ${decision}` };
    });
  }
}
