import { z } from 'zod';

// These schemas hold the fields that we read of Zepto's answers (its OpenAPI file; `/agreements/kyc` is not in it). Zepto adds fields and
// states without notice. Amounts are cents.

const text = z.string().nullish();
const cents = z.number().int().nonnegative();

const Instant = z.string().transform((value, context) => {
  const instant = new Date(value);
  if (!Number.isNaN(instant.getTime())) return instant;
  context.addIssue({ code: 'custom', message: 'not a time' });
  return z.NEVER;
});

/** Zepto's answer to a request that created something; `ref` is its reference. */
export const CreatedAnswer = z.object({ data: z.object({ ref: z.string().min(1) }) });

export const AgreementRow = z.object({
  ref: z.string(),
  contact_id: z.string().min(1),
  status: z.string(),
  metadata: z.looseObject({}).nullish().catch(undefined),
});
export const AgreementAnswer = z.object({ data: AgreementRow });

export const ContactRow = z.object({
  id: z.string().min(1),
  name: text,
  email: text,
  bank_account: z.object({ branch_code: text, account_number: text, state: text }).nullish().catch(undefined),
  metadata: z.looseObject({}).nullish().catch(undefined),
});
export type ContactRow = z.infer<typeof ContactRow>;
export const ContactAnswer = z.object({ data: ContactRow });

export const BankAccountRow = z.object({ id: z.string(), status: text });

export const BankAccountAnswer = z.object({
  data: z.object({
    account_type: text,
    title: text,
    branch_code: z.string(),
    account_number: z.string(),
  }),
});

/** A settled entry of a float account. */
export const EntryRow = z.object({
  id: z.uuid(),
  created_at: Instant,
  description: text,
  amount: z.number().int(),
  available_balance_after: z.number().int(),
});

/** One leg of a movement: a debit or a credit. */
export const TransactionRow = z.object({
  ref: z.string(),
  parent_ref: text,
  bank_ref: text,
  type: z.enum(['debit', 'credit']),
  category: text,
  status: z.string(),
  status_changed_at: Instant,
  cleared_at: Instant.nullish().catch(undefined),
  description: text,
  amount: cents,
  failure: z.object({ code: text, title: text, detail: text }).nullish().catch(undefined),
  failure_details: text.catch(undefined),
});
export type TransactionRow = z.infer<typeof TransactionRow>;

/** Rows stay unparsed here: a bad one hides no others. */
export const ListAnswer = z.object({ data: z.array(z.unknown()) });

/** Zepto's errors: one sentence, or one entry for each problem of the request. */
export const ErrorAnswer = z.object({
  errors: z.union([
    z.string(),
    z.array(
      z.object({
        title: text,
        detail: text,
        meta: z.object({ resource_ref: text }).nullish().catch(undefined),
      }),
    ),
  ]),
});

export const NotificationBody = z.object({ data: z.array(z.unknown()) });
