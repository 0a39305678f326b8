import { describeBsb } from '@sparechange/domain/bsb';
import { askForChange, stopChange } from '#features/beneficiaries/bank-details/change-bank-details.ts';
import { type BankDetailChange, findOpenChange } from '#features/beneficiaries/bank-details/change-repository.ts';
import { type ClubRecord, findClubRecord } from '#features/beneficiaries/clubs/club-record.ts';
import { approvedActs } from '#runtime/approved-acts.ts';
import type { Runtime } from '#runtime/compose.ts';
import { askedAnswer } from './approvals.ts';
import { CommandProblem, commandActor } from './operate.ts';
import type { OpsCommand } from './ops-command.ts';

async function getClub({ db, encryption }: Runtime, id: string): Promise<ClubRecord> {
  const club = await findClubRecord(db, encryption, id);
  if (!club) throw new CommandProblem(`There is no club ${id}; \`ops clubs list\` names them.`);
  return club;
}

/** Says what a change of bank details waits for. */
function waitsFor({ contactEmail, confirmedAt, agreedBy, effectiveOn }: BankDetailChange): string {
  if (effectiveOn) return `used from ${effectiveOn}`;
  return [
    ...(confirmedAt ? [] : [`waits for the confirmation of ${contactEmail}`]),
    ...(agreedBy === null ? ['waits for a second person'] : []),
  ].join(', ');
}

export function bankDetailCommands(clubs: OpsCommand): void {
  clubs
    .command('show <club>')
    .description('a club with its link, contact and bank details, and any open change of these')
    .carryOut(async (runtime, [id = '']) => {
      const club = await getClub(runtime, id);
      const change = (await findOpenChange(runtime.db, club.id)) ?? null;
      const facts: [string, string | null][] = [
        ['id', club.id],
        ['link', `/${club.slug}`],
        ['parent', club.parentId],
        ['retired', club.endsOn && `from ${club.endsOn}`],
        ['ABN', club.abn],
        ['contact', club.contactEmail],
        ['account', club.account],
        ['change', change && `account that ends in ${change.endsIn}: ${waitsFor(change)}`],
      ];
      const lines = facts.flatMap(([name, value]) => (value === null ? [] : [`${name.padEnd(9)}${value}`]));
      return { json: { ...club, bankDetailChange: change }, text: [club.name, ...lines].join('\n') };
    });
  clubs
    .command('bank-details <club>')
    .description(
      "request new bank details: used two banking days after the club's contact confirms them by email and a second person agrees",
    )
    .requiredOption('--bsb <bsb>')
    .requiredOption('--account-number <number>')
    .option('--account-name <name>')
    .carryOut(
      async (runtime, [id = ''], { bsb, accountNumber, accountName }) => {
        const club = await getClub(runtime, id);
        const given = {
          bsb: String(bsb),
          accountNumber: String(accountNumber),
          accountName: typeof accountName === 'string' ? accountName : null,
        };
        const { db, clock, encryption } = runtime;
        const agreeOrAsk = approvedActs(runtime).bankDetails;
        const asked = await askForChange({ db, clock, encryption, agreeOrAsk }, commandActor(), club.id, given);
        const said = describeBsb(given.bsb);
        const warning = said && 'warning' in said ? `\n${said.warning}` : '';
        const change = (await findOpenChange(runtime.db, club.id)) ?? null;
        const { json, text } = asked.approval
          ? askedAnswer(asked.approval)
          : { json: change, text: `${asked.summary}: ${change ? waitsFor(change) : 'stopped'}` };
        return { json, text: text + warning };
      },
      { secretOptions: ['bsb', 'accountNumber', 'accountName'] },
    );
  clubs
    .command('stop-bank-details <club>')
    .description('stop a change of bank details that is not in use yet')
    .carryOut(async (runtime, [id = '']) => {
      const club = await getClub(runtime, id);
      const change = await findOpenChange(runtime.db, club.id);
      if (change) await stopChange(runtime, change.id, commandActor());
      const text = change ? 'The change is stopped; the club is paid as before.' : 'There is no change to stop.';
      return { json: { club: club.id, stopped: change !== undefined }, text };
    });
}
