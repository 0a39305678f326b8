import { counted } from '@sparechange/domain/counted';
import { registerMandates } from '#features/collections/debits/register-mandates.ts';
import { findRequestText } from '#features/correspondence/direct-debit-request/request-text.ts';
import { decideReviews, listWithHolders } from '#features/supporters/accounts/holder-review.ts';
import { findOneSupporter } from './find-supporter.ts';
import type { OpsCommand } from './ops-command.ts';

export function registerMandatesCommand(command: OpsCommand): void {
  command.carryOut(async (runtime) => {
    const report = await registerMandates(runtime);
    const refused = report.refused.map(({ supporterId, reason }) => `  ${supporterId} was refused: ${reason}`);
    return {
      json: report,
      text: [`${counted(report.registered, 'mandate')} registered`, ...refused].join('\n'),
      failed: refused.length > 0,
    };
  });
}

export function directDebitTextCommand(command: OpsCommand): void {
  command.carryOut(async ({ db }, [hash = '']) => {
    const kept = await findRequestText(db, hash);
    return { json: kept ?? null, text: kept?.content ?? `No text is kept under ${hash}.`, failed: !kept };
  });
}

/** Adds commands for funding accounts in somebody else's name. */
export function holderReviewCommands(reviews: OpsCommand): void {
  reviews
    .command('list')
    .description('accounts awaiting a decision, with the name the bank gives')
    .carryOut(async (runtime) => {
      const { waiting, left } = await listWithHolders(runtime);
      const json = waiting.map(({ supporterId, email, name, holder, accountName, maskedNumber, askedAt }) => ({
        supporterId,
        email,
        name,
        holder: holder ?? 'not named now',
        accountName,
        maskedNumber,
        askedAt,
      }));
      const lines = json.map(
        ({ email, name, holder, accountName, maskedNumber }) =>
          `${email} (${name}): ${accountName} ${maskedNumber}, held by ${holder}`,
      );
      if (left > 0) lines.push(`${counted(left, 'account')} left out, which wait for a shorter time.`);
      return { json: { waiting: json, left }, text: lines.join('\n') || 'nothing waits for a decision' };
    });

  for (const [name, decision, about] of [
    ['approve', 'approved', 'let a supporter choose the account that waits; they are mailed'],
    ['refuse', 'refused', 'keep a supporter from choosing it; they are mailed'],
  ] as const) {
    reviews
      .command(name)
      .argument('<email>')
      .description(about)
      .carryOut(async (whole, [email = '']) => {
        const { runtime, supporterId } = await findOneSupporter(whole, email);
        const accounts = await decideReviews(runtime, supporterId, { decision });
        return { json: { accounts }, text: `${counted(accounts, 'account')} ${decision}` };
      });
  }
}
