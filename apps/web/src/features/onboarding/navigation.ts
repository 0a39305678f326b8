import { BankAccount } from '@sparechange/contract';
import { z } from 'zod';

/** The onboarding screens' navigation state, read through a schema. */
const SelectedClub = z.object({ selectedClubId: z.string().min(1).max(80) });
const AskForBank = z.object({ asksForBank: z.literal(true) });
const ChosenAccounts = z.object({ accounts: z.array(BankAccount), cdrid: z.uuid() });

export const readSelectedClub = (state: unknown): string | undefined =>
  SelectedClub.safeParse(state).data?.selectedClubId;

/** Reads the accounts handed on for this supporter, ignoring others'. */
export function readChosenAccounts(state: unknown, cdrid: string): BankAccount[] {
  const chosen = ChosenAccounts.safeParse(state).data;
  return chosen?.cdrid === cdrid ? chosen.accounts : [];
}

/** Leads to the bank once more, though it is connected. */
export const askForBank: z.infer<typeof AskForBank> = { asksForBank: true };
export const readAskForBank = (state: unknown): boolean => AskForBank.safeParse(state).success;
