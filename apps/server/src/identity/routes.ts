import type { FastifyInstance } from 'fastify';
import { changeAccountRoutes } from './change-account-routes.ts';
import { followAddresses, followPasswordChanges } from './follow-changes.ts';
import { allowAnyOrigin, answerInGooglesShape, noSuchPath, readAnyBody, refuseWithoutKey } from './http-conventions.ts';
import { resetPasswordRoutes, sendOobCodeRoutes } from './oob-code-routes.ts';
import { oobMails } from './oob-mails.ts';
import { authUriRoutes, projectRoutes } from './project-routes.ts';
import { type IdentityDeps, identityService } from './service.ts';
import { customSignInRoutes, lookupRoutes, signInRoutes, signUpRoutes, tokenRoutes } from './session-routes.ts';
import { tidyIdentity } from './tidy.ts';

export type { ActionLink, IdentityDeps, OobMail } from './service.ts';

const tidyEveryMs = 60 * 60_000;
const followEveryMs = 60_000;

/**
 * The embedded identity service: what the unmodified Firebase SDK asks of Google, answered as a project with
 * email-enumeration protection answers it. Routes, hooks and error handling stay inside their own scope.
 */
export async function identityRoutes(app: FastifyInstance, deps: IdentityDeps): Promise<void> {
  const service = identityService(deps);
  const mails = oobMails(deps, app.log);
  let tidying: NodeJS.Timeout | undefined;
  let following: NodeJS.Timeout | undefined;
  app.addHook('onReady', async () => {
    mails.start();
    tidying = setInterval(
      () =>
        tidyIdentity(deps.db).catch((err) =>
          app.log.warn({ err }, 'old rows of the identity service were not deleted'),
        ),
      tidyEveryMs,
    ).unref();
    following = setInterval(() => {
      followAddresses(service).catch((err) => app.log.warn({ err }, 'a new address was not passed on to the product'));
      followPasswordChanges(service).catch((err) => app.log.warn({ err }, 'a new password was not confirmed by mail'));
    }, followEveryMs).unref();
  });
  app.addHook('onClose', async () => {
    clearInterval(tidying);
    clearInterval(following);
    await mails.stop();
  });

  const apiOf = (prefix: string, addRoutes: (scope: FastifyInstance) => void) =>
    app.register(
      async (scope) => {
        answerInGooglesShape(scope);
        readAnyBody(scope);
        allowAnyOrigin(scope);
        refuseWithoutKey(scope, deps.apiKey);
        addRoutes(scope);
        scope.route({
          method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
          url: '/*',
          handler: async () => {
            throw noSuchPath();
          },
        });
      },
      { prefix },
    );

  await apiOf('/identitytoolkit.googleapis.com', (scope) => {
    signUpRoutes(scope, service);
    signInRoutes(scope, service);
    customSignInRoutes(scope, service);
    lookupRoutes(scope, service);
    changeAccountRoutes(scope, service, deps, mails);
    sendOobCodeRoutes(scope, service, deps, mails);
    resetPasswordRoutes(scope, service);
    authUriRoutes(scope);
    projectRoutes(scope, service);
  });
  await apiOf('/securetoken.googleapis.com', (scope) => tokenRoutes(scope, service));

  app.get('/.well-known/jwks.json', { config: { needsNoDatabase: true } }, async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .header('access-control-allow-origin', '*')
      .send(await deps.keys.published()),
  );
}
