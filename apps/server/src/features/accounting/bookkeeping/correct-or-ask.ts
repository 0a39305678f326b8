import { accountNames } from '@sparechange/contract/console';
import { formatCents } from '@sparechange/domain';
import type { Actor } from '#audit/audit-log.ts';
import type { Db } from '#db/connect.ts';
import { Conflict, NotFound } from '#errors.ts';
import type { AskedFor, Tried } from '#features/core/approvals/approved-acts.ts';
import { findClubToCorrect } from './club-corrections.ts';
import type { Corrected, Correction } from './correct-ledger.ts';
import type { clubWriteOff, ledgerCorrection } from './ledger-acts.ts';

export type CorrectingActs = AskedFor<{ ledgerCorrection: typeof ledgerCorrection; clubWriteOff: typeof clubWriteOff }>;

interface Deps {
  db: Db;
  acts: CorrectingActs;
}

async function nameOf(db: Db, clubId: string): Promise<string> {
  const club = await findClubToCorrect(db, clubId);
  if (!club) throw new NotFound('The club');
  return club.name;
}

function refuseUnbooked(booked: Corrected, limitInWords: (limit: string) => string): void {
  if (booked.result === 'unknown club') throw new NotFound('The club');
  if (booked.result === 'another') throw new Conflict('This id belongs to another correction.');
  if (booked.result === 'above limit') throw new Conflict(limitInWords(formatCents(booked.limitCents)));
}

/** Returns both legs of a correction: "debit “Fees” $2.50, credit “Owed to clubs” $2.50". */
export const legsInWords = ({ debit, credit, amount }: Pick<Correction, 'debit' | 'credit' | 'amount'>): string =>
  `debit “${accountNames[debit]}” ${formatCents(amount)}, credit “${accountNames[credit]}” ${formatCents(amount)}`;

/** Corrects the ledger, or asks a second person to agree. Throws Conflict for more than a club's balance. */
export async function correctOrAsk(
  { db, acts }: Deps,
  actor: Actor,
  correction: Correction,
): Promise<Tried<Corrected>> {
  const { clubId } = correction;
  const ofClub = clubId === undefined ? '' : ` for ${await nameOf(db, clubId)}`;
  const summary = `Correction${ofClub}: ${legsInWords(correction)}`;
  const tried = await acts.ledgerCorrection(actor, correction, summary);
  if ('result' in tried) refuseUnbooked(tried.result, (limit) => `At most ${limit} can be taken from the club.`);
  return tried;
}

/** Writes off a club's debt, or asks a second person to agree. Throws Conflict for more than its debt. */
export async function writeOffOrAsk(
  { db, acts }: Deps,
  actor: Actor,
  writeOff: Omit<Correction, 'debit' | 'credit'> & { clubId: string },
): Promise<Tried<Corrected>> {
  const name = await nameOf(db, writeOff.clubId);
  const tried = await acts.clubWriteOff(
    actor,
    writeOff,
    `Write-off of ${formatCents(writeOff.amount)} that ${name} owes`,
  );
  if ('result' in tried) refuseUnbooked(tried.result, (limit) => `${name} owes ${limit}; no more can be written off.`);
  return tried;
}
