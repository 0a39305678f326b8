import { z } from 'zod';
import { operation } from './operation.ts';
import { wholeCents } from './whole-cents.ts';

const cdrid = z.uuid();
const path = '/client/round-up/user';

export const retrieveSavingsSplit = operation({
  name: 'retrieveSavingsSplit',
  method: 'POST',
  path: `${path}/savings-split`,
  access: 'supporter',
  summary: "What was debited this calendar year as the club's part and the savings part, and the next deposit.",
  readsOnly: true,
  input: z.object({ cdrid }),
  output: z.object({
    clubCents: wholeCents.min(0).describe('submitted and not returned, as in debits-ytd'),
    savingsCents: wholeCents.min(0),
    nextDeposit: z
      .object({ date: z.iso.date(), amountCents: wholeCents.min(0).describe('set aside so far') })
      .nullable()
      .describe('null while no savings account is linked, or the linked one receives nothing'),
    waitingCents: wholeCents
      .min(0)
      .nullish()
      .describe('set aside for another account, while the linked one receives nothing'),
  }),
});
