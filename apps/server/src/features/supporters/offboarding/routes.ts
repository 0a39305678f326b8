import * as contract from '@sparechange/contract';
import type { FastifyBaseLogger } from 'fastify';
import { appendToAuditLog } from '#audit/audit-log.ts';
import { getPendingPayments } from '#features/core/ledger/pending-payments.ts';
import { queueEmail } from '#features/correspondence/emails/queue-email.ts';
import { getSupporter } from '#features/supporters/profiles/user-record.ts';
import { refuseOldSignIn } from '#http/recent-sign-in.ts';
import type { Serve } from '#http/serve.ts';
import { today } from '#ports/clock.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { packArchive } from './build-archive.ts';
import { type ClosingDeps, closeAccount, finishClosing } from './close-supporter.ts';
import { askForDeletion } from './delete-bank-data.ts';
import { type ExportDeps, exportSupporter } from './export-supporter.ts';
import { stopDebits, withdrawForGood } from './stop-debits.ts';

export type OffboardingDeps = ClosingDeps & ExportDeps;

/** Serves the operators' leaving use cases to the signed-in supporter. */
export function offboardingRoutes(serve: Serve, deps: OffboardingDeps): void {
  const { db, clock } = deps;
  const statusOf = async (supporterId: string) => ({ status: await getPendingPayments(db, supporterId) });

  serve.supporter(contract.retrieveOffboardingStatus, (_input, { supporterId }) => statusOf(supporterId));

  serve.supporter(contract.stopDebits, async (_input, { supporterId }, { request }) => {
    await getSupporter(db, supporterId);
    await tryNowOrLater(stopDebits(deps, supporterId), request.log);
    return statusOf(supporterId);
  });

  serve.supporter(contract.withdrawConsent, async (_input, { supporterId }, { request }) => {
    await getSupporter(db, supporterId);
    await tryNowOrLater(withdrawForGood(deps, supporterId, 'supporter'), request.log);
    return statusOf(supporterId);
  });

  serve.supporter(contract.deleteBankData, async (_input, { supporterId }, { request }) => {
    await getSupporter(db, supporterId);
    await tryNowOrLater(withdrawForGood(deps, supporterId, 'supporter'), request.log);
    await tryNowOrLater(askForDeletion(deps, supporterId, 'supporter'), request.log);
    return statusOf(supporterId);
  });

  serve.supporter(contract.downloadEverything, async (_input, caller) => {
    const { supporterId } = caller;
    if ((await getSupporter(db, supporterId)).onboardedOn) refuseOldSignIn(caller);
    const everything = await exportSupporter(deps, supporterId);
    const at = clock.now();
    const day = today(clock);
    await db.begin(async (tx) => {
      await appendToAuditLog(tx, { supporterId, at, actor: 'supporter', action: 'downloaded their data' });
      await queueEmail(tx, { supporterId, key: `data downloaded ${day}`, facts: { kind: 'data_downloaded', day }, at });
    });
    const zip = Buffer.from(packArchive(everything, at)).toString('base64');
    return { fileName: `sparechange-${day}.zip`, zip };
  });

  serve.supporter(contract.closeAccount, async (_input, caller, { request }) => {
    const { supporterId } = caller;
    refuseOldSignIn(caller);
    await getSupporter(db, supporterId);
    const identity = await closeAccount(deps, supporterId, 'supporter');
    await tryNowOrLater(finishClosing(deps, supporterId, 'supporter'), request.log);
    return { ...(await statusOf(supporterId)), identity };
  });
}

/** Waits for work at a provider that the daily run repeats if it does not answer: everything on our side has ended. */
export async function tryNowOrLater<Done>(work: Promise<Done>, log: FastifyBaseLogger): Promise<Done | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ProviderUnavailable || error instanceof ProviderRefused)) throw error;
    log.warn({ err: error }, 'a provider did not answer for a supporter who is leaving; the daily run retries');
    return undefined;
  }
}
