import { type Actor, actorName } from '#audit/audit-log.ts';
import type { Approval } from '#features/approvals/approval-repository.ts';
import type { DoOrAsk } from '#features/approvals/approved-acts.ts';
import { type BankDetailsGiven, requestChange } from './change-bank-details.ts';
import type { BankDetailChange } from './change-repository.ts';

interface AskDeps extends Omit<Parameters<typeof requestChange>[0], 'by'> {
  /** Agrees for the organisation, or asks a second person to. */
  agreeOrAsk: DoOrAsk<{ changeId: string }>;
}

/** Records a change that somebody asks for, asks the contact by mail to confirm it, and a second person where two are needed. */
export async function askForChange(
  { agreeOrAsk, ...deps }: AskDeps,
  actor: Actor,
  clubId: string,
  given: BankDetailsGiven,
): Promise<{ change: BankDetailChange; summary: string; approval?: Approval }> {
  const change = await requestChange(deps, clubId, given, actorName(actor));
  const summary = `Bank details of ${change.club} that end in ${change.endsIn}`;
  const tried = await agreeOrAsk(actor, { changeId: change.id }, summary);
  return { change, summary, ...('approval' in tried ? { approval: tried.approval } : {}) };
}
