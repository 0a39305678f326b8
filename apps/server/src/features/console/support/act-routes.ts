import * as contract from '@sparechange/contract/console';
import { appendToAuditLog } from '#audit/audit-log.ts';
import type { Pool } from '#db/connect.ts';
import { takeFromTokenBucket } from '#db/token-bucket.ts';
import { Conflict } from '#errors.ts';
import { holdSupporter, releaseSupporter } from '#features/collections/debits/hold-supporter.ts';
import { getPendingPayments } from '#features/core/ledger/pending-payments.ts';
import { revokeWithdrawn } from '#features/supporters/consents/withdraw-consent.ts';
import type { SignIns } from '#features/supporters/identity/sessions.ts';
import { type ClosingDeps, closeAccount, finishClosing } from '#features/supporters/offboarding/close-supporter.ts';
import { askForDeletion } from '#features/supporters/offboarding/delete-bank-data.ts';
import { offerExport } from '#features/supporters/offboarding/export-supporter.ts';
import { tryNowOrLater } from '#features/supporters/offboarding/routes.ts';
import type { Supporter } from '#features/supporters/profiles/supporter-repository.ts';
import { getSupporter } from '#features/supporters/profiles/user-record.ts';
import { pauseRoundUps, resumeRoundUps } from '#features/supporters/round-ups/pause-round-ups.ts';
import type { ServeConsole } from '#http/serve-console.ts';
import type { Enqueue } from '#ports/enqueue.ts';
import type { Sites } from '#tenants/tenant-site.ts';

export type ActDeps = ClosingDeps & {
  enqueue: Enqueue;
  sites: Sites;
  /** Emails a link to choose a new password; absent where another service keeps passwords. */
  mailReset?: ((email: string, site: URL) => Promise<void>) | undefined;
  /** Absent where another service keeps sign-ins. */
  signIns?: SignIns | undefined;
  /** The name of that service. */
  identityService?: string | undefined;
};

const resetMailLimit = { burst: 1, everySeconds: 600 };

/** Returns a supporter with the tables of their bucket; throws Conflict if the account is closed. */
async function getOpenSupporter(db: Pool, supporterId: string): Promise<Supporter & { bucket: Pool }> {
  const bucket = db.of(supporterId);
  const supporter = await getSupporter(bucket, supporterId);
  if (supporter.isClosed) throw new Conflict('The account is closed.');
  return { ...supporter, bucket };
}

/** Serves the acts that support carries out for a supporter. */
export function supportActRoutes(serve: ServeConsole, deps: ActDeps): void {
  const { db, clock, enqueue, sites, mailReset, signIns, identityService = 'another service' } = deps;

  const setSignInDisabled = async (supporterId: string, because: string, isDisabled: boolean) => {
    const { bucket } = await getOpenSupporter(db, supporterId);
    if (!signIns) throw new Conflict(`Sign-ins are kept by ${identityService}. Please use its console.`);
    const [user] = await bucket<{ uid: string }[]>`select uid from supporters where supporter_id = ${supporterId}`;
    const action = isDisabled ? 'disabled the sign-in' : 'enabled the sign-in';
    // Recorded before the act: the user is in control, and an act without an entry is worse than the reverse.
    await appendToAuditLog(bucket, { supporterId, at: clock.now(), actor: 'operator', action, details: { because } });
    await signIns.setDisabled(user?.uid ?? '', isDisabled);
    return {};
  };

  serve.person(contract.pauseSupporter, async ({ supporterId, until }) => {
    const { bucket } = await getOpenSupporter(db, supporterId);
    await pauseRoundUps(bucket, clock, supporterId, 'supporter', until, 'operator');
    await enqueue.sendMails();
    return {};
  });

  serve.person(contract.resumeSupporter, async ({ supporterId }) => {
    const { bucket } = await getOpenSupporter(db, supporterId);
    await resumeRoundUps(bucket, clock, supporterId, 'operator');
    return {};
  });

  serve.person(contract.holdSupporter, async ({ supporterId, reason }) => {
    await getOpenSupporter(db, supporterId);
    await holdSupporter(db, clock, supporterId, reason);
    return {};
  });

  serve.person(contract.releaseSupporter, async ({ supporterId, reason }) => {
    await getOpenSupporter(db, supporterId);
    await releaseSupporter(db, clock, supporterId, reason);
    return {};
  });

  serve.person(contract.sendPasswordReset, async ({ supporterId }) => {
    const { bucket, email, tenantKey } = await getOpenSupporter(db, supporterId);
    if (!mailReset)
      throw new Conflict(`Passwords are kept by ${identityService}. Ask them to choose “Forgot password?”.`);
    if (!(await takeFromTokenBucket(db, 'rate_limits', `reset by support ${supporterId}`, resetMailLimit)))
      throw new Conflict('They were emailed a link within the last ten minutes.');
    const entry = { supporterId, at: clock.now(), actor: 'operator', action: 'mailed a link to reset the password' };
    await appendToAuditLog(bucket, entry);
    await mailReset(email, sites.siteOf(tenantKey));
    return {};
  });

  serve.person(contract.disableSignIn, ({ supporterId, reason }) => setSignInDisabled(supporterId, reason, true));

  serve.person(contract.enableSignIn, ({ supporterId, reason }) => setSignInDisabled(supporterId, reason, false));

  serve.person(contract.offerExport, async ({ supporterId }) => {
    await getOpenSupporter(db, supporterId);
    if (!(await offerExport(db, clock, supporterId)))
      throw new Conflict('They were emailed about it today. Send that email again instead.');
    await enqueue.sendMails();
    return {};
  });

  serve.person(contract.deleteBankData, async ({ supporterId }, _caller, { request }) => {
    const { bucket } = await getOpenSupporter(db, supporterId);
    const inBucket = { ...deps, db: bucket };
    await tryNowOrLater(askForDeletion(inBucket, supporterId, 'operator'), request.log);
    await tryNowOrLater(revokeWithdrawn(inBucket, supporterId), request.log);
    await enqueue.sendMails();
    return { isDeleted: !(await getPendingPayments(bucket, supporterId)).hasBankData };
  });

  serve.person(contract.closeSupporter, async ({ supporterId }, _caller, { request }) => {
    const bucket = db.of(supporterId);
    await getSupporter(bucket, supporterId);
    const identity = await closeAccount({ ...deps, db: bucket }, supporterId, 'operator');
    await tryNowOrLater(finishClosing({ ...deps, db: bucket }, supporterId, 'operator'), request.log);
    await enqueue.sendMails();
    return { identity };
  });
}
