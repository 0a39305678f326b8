import * as contract from '@sparechange/contract';
import { maskAccountNumber, yearStart } from '@sparechange/domain';
import { firstDayOfChangedAccount } from '@sparechange/domain/changed-savings-account';
import { nextDeposit } from '@sparechange/domain/next-deposit';
import { appendToAuditLog } from '#audit/audit-log.ts';
import type { Pool } from '#db/connect.ts';
import { mailSavingsChanged } from '#features/correspondence/emails/queue-change-emails.ts';
import { getSupporter, userAnswer } from '#features/supporters/profiles/user-record.ts';
import { refuseOldSignIn } from '#http/recent-sign-in.ts';
import type { Serve } from '#http/serve.ts';
import { type Clock, today } from '#ports/clock.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import {
  findSavingsAccount,
  type KeptSavings,
  lockLinkedSavings,
  saveSavingsAccount,
  saveSavingsEnabled,
  splitOfDebits,
} from './savings-repository.ts';

export interface SavingsRouteDeps {
  db: Pool;
  clock: Clock;
  tenants: Tenants;
  encryption: FieldEncryption;
}

export function savingsRoutes(serve: Serve, deps: SavingsRouteDeps): void {
  const { db, clock, encryption } = deps;
  serve.supporter(contract.setSavingsAccount, async ({ savingsAccountEnabled }, { supporterId }) => {
    await getSupporter(db, supporterId);
    await db.begin(async (tx) => {
      await saveSavingsEnabled(tx, supporterId, savingsAccountEnabled);
      const details = { on: savingsAccountEnabled };
      await appendToAuditLog(tx, {
        supporterId,
        at: clock.now(),
        actor: 'supporter',
        action: 'switched savings',
        details,
      });
    });
    return userAnswer(deps, supporterId);
  });

  serve.supporter(contract.submitSavingsAccount, async ({ values }, caller) => {
    const { supporterId } = caller;
    const { onboardedOn } = await getSupporter(db, supporterId);
    if (onboardedOn) refuseOldSignIn(caller);
    const maskedNumber = maskAccountNumber(values.accountNumber);
    const contextOf = (what: 'bsb' | 'account number') => `supporter ${supporterId} savings ${what}`;
    const at = clock.now();
    const receivesFrom = onboardedOn ? firstDayOfChangedAccount(today(clock)) : null;
    await db.begin(async (tx) => {
      const linked = await lockLinkedSavings(tx, supporterId);
      if (linked && isSameAccount(linked, values, encryption, contextOf)) return;
      const isReplaced = await saveSavingsAccount(tx, supporterId, {
        accountName: values.accountName,
        maskedNumber,
        bsbEncrypted: encryption.encrypt(values.bsb, contextOf('bsb')),
        accountNumberEncrypted: encryption.encrypt(values.accountNumber, contextOf('account number')),
        linkedAt: at,
        receivesFrom,
      });
      const details = { account: maskedNumber };
      await appendToAuditLog(tx, { supporterId, at, actor: 'supporter', action: 'linked savings', details });
      if (onboardedOn)
        await mailSavingsChanged(tx, { supporterId, at, receivesFrom: isReplaced ? receivesFrom : null });
    });
    return {};
  });

  serve.supporter(contract.retrieveLinkedSavings, async (_input, { supporterId }) => ({
    savingsAccount: { document: (await findSavingsAccount(db, supporterId, today(clock))) ?? null },
  }));

  serve.supporter(contract.retrieveSavingsSplit, async (_input, { supporterId }) => {
    const day = today(clock);
    const { date, month } = nextDeposit(day);
    const split = await splitOfDebits(db, supporterId, yearStart(day), month);
    const { clubCents, savingsCents, setAsideCents } = split;
    const account = await findSavingsAccount(db, supporterId, day);
    if (!account) return { clubCents, savingsCents, nextDeposit: null, waitingCents: null };
    if (account.problem) return { clubCents, savingsCents, nextDeposit: null, waitingCents: setAsideCents };
    const { receivesFrom } = account;
    const depositedOn = receivesFrom && receivesFrom > date ? receivesFrom : date;
    return {
      clubCents,
      savingsCents,
      nextDeposit: { date: depositedOn, amountCents: setAsideCents },
      waitingCents: null,
    };
  });
}

/**
 * Returns true for the linked account sent again, for instance after a lost answer: it replaces nothing. One that banks
 * refused is linked again, and one that cannot be decrypted counts as another.
 */
function isSameAccount(
  { accountName, bsbEncrypted, accountNumberEncrypted, isRefused }: KeptSavings,
  values: contract.SavingsAccountForm,
  encryption: FieldEncryption,
  contextOf: (what: 'bsb' | 'account number') => string,
): boolean {
  if (isRefused || accountName !== values.accountName) return false;
  try {
    return (
      encryption.decrypt(bsbEncrypted, contextOf('bsb')) === values.bsb &&
      encryption.decrypt(accountNumberEncrypted, contextOf('account number')) === values.accountNumber
    );
  } catch {
    return false;
  }
}
