import { z } from 'zod';

/**
 * The fields we read of Basiq's answers (OpenAPI files core.json and data.json, API v3). Unused fields are not checked,
 * and what may be absent may be null.
 */

const text = z.string().nullish();

export const TokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().positive().catch(3600) });

export const UserAnswer = z.object({ id: z.string().min(1) });

export const ConsentAnswer = z.object({
  id: text.catch(undefined),
  status: text.catch(undefined),
  created: text.catch(undefined),
  expiryDate: text.catch(undefined),
});
export type ConsentAnswer = z.infer<typeof ConsentAnswer>;

const StepAnswer = z.object({
  title: z.string(),
  status: z.string(),
  result: z
    .looseObject({ url: text.catch(undefined), detail: text.catch(undefined) })
    .nullish()
    .catch(undefined),
});

export const JobAnswer = z.object({
  id: z.string(),
  created: text,
  jobType: text,
  steps: z.array(StepAnswer).nullish(),
  links: z.object({ source: text }).nullish(),
});
export type JobAnswer = z.infer<typeof JobAnswer>;

export const ConnectionAnswer = z.object({
  id: z.string().min(1),
  status: text,
  lastUsed: text,
  expiryDate: text.catch(undefined),
});
export type ConnectionAnswer = z.infer<typeof ConnectionAnswer>;

export const AccountAnswer = z.object({
  id: z.string(),
  connection: text.catch(undefined),
  institution: text.catch(undefined),
  name: text,
  accountHolder: text.catch(undefined),
  accountNo: text,
  bsb: text,
  unmaskedAccNum: text,
  maskedNumber: text,
  currency: text,
  balance: text.catch(undefined),
  availableFunds: text.catch(undefined),
  // An object by its description, a bare word in one of its examples.
  class: z
    .union([z.object({ type: text, product: text }), z.string().transform((type) => ({ type, product: undefined }))])
    .nullish()
    .catch(undefined),
  status: text,
});
export type AccountAnswer = z.infer<typeof AccountAnswer>;

export const TransactionAnswer = z.object({
  id: z.string(),
  status: z.string(),
  description: text,
  amount: z.union([z.string(), z.number().transform(String)]),
  currency: text,
  account: z.string(),
  direction: text,
  class: text,
  transactionDate: text,
  postDate: text,
  paymentDetails: z
    .object({ bpay: z.looseObject({}).nullish(), apcaNumber: z.union([z.string(), z.number()]).nullish() })
    .nullish()
    .catch(undefined),
});
export type TransactionAnswer = z.infer<typeof TransactionAnswer>;

/** Rows stay unparsed here: a bad one hides no others. */
export const ListAnswer = z.object({ data: z.array(z.unknown()), links: z.object({ next: text }).nullish() });

export const EventAnswer = z.object({ userId: text });

export const ErrorAnswer = z.object({
  correlationId: text,
  data: z.array(z.object({ code: text, title: text, detail: text })).nullish(),
});

export const NotificationBody = z.object({ eventTypeId: z.string(), eventId: z.string() });
