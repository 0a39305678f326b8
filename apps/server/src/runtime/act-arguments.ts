import { CorrectableAccount, HandAccount, Role } from '@sparechange/contract/console';
import { KeyScope } from '@sparechange/contract/programs';
import { cents, isoDate } from '@sparechange/domain';
import { z } from 'zod';
import type { ActName } from '#features/core/approvals/act-names.ts';

const amount = z.int().positive().transform(cents);
const booked = z.object({ id: z.string(), amount, reason: z.string() });

/** Arguments of each act, as they are recorded when it is asked for. */
export const actArguments = {
  debit_run: z.object({
    date: z.string().transform(isoDate),
    force: z.boolean(),
    confirmed: z.int().nonnegative().transform(cents).nullable().default(null),
    isAfterRestore: z.boolean(),
    upTo: z.coerce.date().nullable().optional(),
  }),
  tenant_resume: z.object({ tenant: z.string(), since: z.coerce.date(), because: z.string().optional() }),
  refund: z.object({
    supporterId: z.uuid(),
    debitId: z.uuid(),
    amount: amount.optional(),
    reason: z.string(),
    requestId: z.string().optional(),
  }),
  write_off: booked.extend({ clubId: z.string() }),
  ledger_correction: booked.extend({
    debit: CorrectableAccount,
    credit: CorrectableAccount,
    clubId: z.string().optional(),
  }),
  statement_line_match: z.object({
    account: z.string(),
    lineId: z.string(),
    to: HandAccount,
    reason: z.string(),
  }),
  api_key: z.object({
    name: z.string(),
    scopes: KeyScope.array(),
    clubId: z.string().optional(),
    days: z.number(),
  }),
  api_key_rotation: z.object({ id: z.string(), days: z.number(), overlapHours: z.number() }),
  club_bank_details: z.object({ changeId: z.uuid() }),
  console_roles: z.object({
    personId: z.uuid().toLowerCase(),
    roles: Role.array(),
    clubIds: z.uuid().array(),
    seen: z.object({ roles: Role.array(), clubIds: z.uuid().array() }).optional(),
  }),
  one_person: z.object({}),
} satisfies Record<ActName, z.ZodType>;

export type ActArguments<Name extends ActName> = z.output<(typeof actArguments)[Name]>;
