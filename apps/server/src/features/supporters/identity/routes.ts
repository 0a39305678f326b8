import * as contract from '@sparechange/contract';
import type { Pool } from '#db/connect.ts';
import { NotFound } from '#errors.ts';
import type { RenewalLinks } from '#features/supporters/consents/renewal-links.ts';
import { type UserRecordDeps, userAnswer } from '#features/supporters/profiles/user-record.ts';
import type { Serve } from '#http/serve.ts';
import { confirmEmail } from './change-email.ts';
import type { Sessions } from './sessions.ts';

export type IdentityRouteDeps = UserRecordDeps & {
  db: Pool;
  sessions: Sessions;
  renewalLinks: RenewalLinks;
  verifyEmail?: ((email: string) => Promise<void>) | undefined;
};

export function identityRoutes(serve: Serve, deps: IdentityRouteDeps): void {
  serve.supporter(contract.getUser, (_input, caller) => userAnswer(deps, caller.supporterId));

  serve.open(contract.confirmEmail, async ({ email, token }) => {
    const now = deps.clock.now();
    if (!deps.renewalLinks.isValid('confirm', email, token, now)) throw new NotFound('The link');
    await confirmEmail(deps.db, email, now);
    await deps.verifyEmail?.(email);
    return {};
  });

  serve.supporter(contract.endSession, async (_input, caller) => {
    await deps.sessions.end(caller);
    return {};
  });

  serve.supporter(contract.endEverySession, async (_input, caller) => {
    await deps.sessions.endEvery(caller);
    return {};
  });
}
