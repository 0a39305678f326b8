import { changeBankDetails } from '@sparechange/contract/console';
import { z } from 'zod';
import { actorName } from '#audit/audit-log.ts';
import { findClubRecord } from '#features/beneficiaries/clubs/club-record.ts';
import { clubWords } from '#features/beneficiaries/clubs/club-words.ts';
import type { ApprovalDeps } from '#features/core/approvals/approve.ts';
import { unlessOver } from '#features/core/approvals/carry-out.ts';
import { defineAct } from '#features/core/approvals/define-act.ts';
import { agreeToChange } from './change-bank-details.ts';
import { bankDetailsName, findChange, findChangedAccount } from './change-repository.ts';
import { refuseInvolved } from './requests-of-changes.ts';

export const bankDetails = defineAct({
  name: bankDetailsName,
  arguments: z.object({ changeId: z.uuid() }),
  askedBy: [changeBankDetails],
  isDecidedByFinance: true,
  carryOut: (deps: ApprovalDeps, { changeId }, by, how) =>
    unlessOver(agreeToChange(deps, changeId, actorName(by)), how),
  refuseAgreement: async (tx, { changeId }, { actor, at, people }) => {
    if (people === 2) await refuseInvolved(tx, changeId, actorName(actor), at);
  },
  describe: async (looking, { changeId }) => {
    const change = await findChange(looking.db, changeId);
    if (!change) return { Club: 'not known' };
    const { clubId, accountName, endsIn, contactEmail, confirmedAt, cancelledAt } = change;
    const club = await findClubRecord(looking.db, looking.encryption, clubId);
    return {
      Club: await clubWords(looking, clubId),
      'New account':
        (await findChangedAccount(looking.db, looking.encryption, changeId)) ??
        [`…${endsIn}`, accountName].filter(Boolean).join(' '),
      'Paid now into': club?.account ?? 'no account',
      'Contact asked': contactEmail ?? 'none',
      Confirmation: cancelledAt ? 'the change was stopped' : confirmedAt ? 'given, or not needed' : 'not given yet',
    };
  },
});
