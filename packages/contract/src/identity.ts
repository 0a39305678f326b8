import { z } from 'zod';
import { operation } from './operation.ts';
import { text } from './text.ts';
import { wholeCents } from './whole-cents.ts';

const roundupAmount = z.union([z.literal([100, 200, 500]), z.literal('0')]);

const ReturnedDebit = z.object({
  date: z.iso.date().describe('the day of the debit'),
  amountCents: wholeCents.positive(),
});

/** The supporter for the screens; `_id` is the cdrid. */
export const UserRecord = z.object({
  _id: z.uuid(),
  externalUserId: z.string().nullable(),
  supportingClubId: z.string(),
  isConsent: z.boolean(),
  onboardingComplete: z.boolean(),
  isUserPausedRoundUp: z.boolean(),
  pausedUntil: z.iso.date().optional().describe('the day on which the pause ends automatically; absent without one'),
  roundupAmountCents: roundupAmount.describe('cents; "0" means paused'),
  weeklyMaximumLimit: z.literal([0, 750, 1000, 1250]).describe('cents a week; 0 means off'),
  savingsAccountEnabled: z.boolean(),
  consentHealth: z
    .object({
      state: z
        .enum(['good', 'ends soon', 'bank ends soon', 'bank ended', 'silent', 'expired', 'withdrawn', 'none'])
        .describe(
          "bank ends soon, bank ended: the consent lasts, a bank's own permission does not; silent: active, but the bank has sent nothing for a week",
        ),
      endsOn: z.iso.date().nullable().describe('the day on which the consent ends or has ended'),
      bankEndsOn: z.iso.date().nullable().describe("the day on which the first of the banks' own permissions ends"),
      dataOn: z.iso.date().nullable().describe('the day on which the bank last sent data'),
    })
    .describe('the state of the consent to the bank data'),
  nextDebit: z
    .object({
      date: z.iso.date(),
      amountCents: wholeCents.min(0),
      skips: z.iso.date().optional().describe('the debit day before it, which the supporter skips'),
      minimumCents: wholeCents.positive().optional().describe('what is not debited yet waits until it is so much'),
    })
    .nullable()
    .describe('the next debit day and what waits for it so far; null when nothing can be debited'),
  campaignEnded: z
    .object({ on: z.iso.date(), droppedCents: wholeCents.min(0).describe('counted, never debited, and not to be') })
    .optional()
    .describe('the campaign is over: nothing is rounded up, debited or donated any more; absent while it runs'),
  waitsForAccountCents: wholeCents
    .min(0)
    .optional()
    .describe(
      'what waits while round-ups are on and no account may be debited: nothing is taken until one is chosen; absent otherwise',
    ),
  waitsForResumeCents: wholeCents
    .positive()
    .optional()
    .describe('what waits for its debit while round-ups are paused; absent where nothing does'),
  whyNoAccount: z
    .enum(['returned', 'mandate_cancelled', 'account_missing'])
    .optional()
    .describe(
      'why the chosen account takes no debits: the bank returned one, the mandate was cancelled, or the bank no longer shows the account',
    ),
  missingAccounts: z
    .array(
      z.object({
        name: z.string(),
        accountNumber: z.string().describe('masked: all but the last 4 as X'),
        isDebited: z.boolean(),
        isTracked: z.boolean(),
      }),
    )
    .optional()
    .describe(
      'chosen accounts that the bank no longer shows: neither tracked nor debited until it does, with the choice kept; absent without one',
    ),
  undoableDonations: z
    .array(z.object({ requestId: z.string(), amountCents: wholeCents.positive(), until: z.iso.datetime() }))
    .optional()
    .describe(
      'one-off donations that are not submitted yet and can be undone, and until when none of them is; absent without one',
    ),
  tracksNoAccount: z.literal(true).optional().describe('no account is chosen whose purchases could be rounded up'),
  returnedDebit: ReturnedDebit.extend({
    next: z
      .enum(['next_debit', 'two_returns', 'resume', 'renew', 'choose_account'])
      .describe(
        'goes with the next debit, or with the first one after what the supporter has to do; two_returns: the second in a row has paused the round-ups',
      ),
  })
    .optional()
    .describe('the last debit of round-ups, where the bank returned it and it has not been asked for again'),
  returnedDonation: ReturnedDebit.optional().describe(
    'the last one-off donation that the bank returned, for a week; it is not asked for again',
  ),
  takenBackDebit: ReturnedDebit.optional().describe(
    'the last debit of round-ups that had cleared and that the bank took back, for a week; it is not asked for again',
  ),
  takenBackDonation: ReturnedDebit.optional().describe(
    'the last one-off donation that had arrived and that the bank took back, for a week; it is not asked for again',
  ),
  isOnHold: z
    .literal(true)
    .optional()
    .describe('nothing is debited until an operator has decided, about the supporter or a payment'),
});
export type UserRecord = z.infer<typeof UserRecord>;

/** Answers a changed setting with the supporter as saved. */
export const UserAnswer = z.object({ userRecord: z.object({ document: UserRecord }) });

export const getUser = operation({
  name: 'getUser',
  method: 'POST',
  path: '/client/round-up/user/get-user',
  access: 'supporter',
  summary: 'The signed-in supporter.',
  readsOnly: true,
  refusals: { 404: 'the caller has not registered' },
  input: z.object({ userId: text(128).min(1) }),
  output: UserAnswer,
});
