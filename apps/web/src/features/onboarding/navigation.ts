import { BankAccount } from '@sparechange/contract';
import { z } from 'zod';

/** What screens of the onboarding hand on in the navigation state, read back through a schema. */
const SelectedClub = z.object({ selectedClubId: z.string().min(1).max(80) });
const ChosenAccounts = z.object({ accounts: z.array(BankAccount) });

export const readSelectedClub = (state: unknown): string | undefined =>
  SelectedClub.safeParse(state).data?.selectedClubId;

export const readChosenAccounts = (state: unknown): BankAccount[] =>
  ChosenAccounts.safeParse(state).data?.accounts ?? [];
