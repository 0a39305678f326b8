import type { ActionLink } from './identity-deps.ts';
import type { OobRequestType } from './oob-code-repository.ts';

/** An action link's `mode`, as the SDK's ActionCodeURL reads it. */
const modes: Record<OobRequestType, string> = {
  password_reset: 'resetPassword',
  verify_email: 'verifyEmail',
  verify_and_change_email: 'verifyAndChangeEmail',
  recover_email: 'recoverEmail',
};

/** The page of the product at `origin` where a code is used, with the parameters that Firebase's own links have. */
export function actionPageAt(origin: string, link: ActionLink): URL {
  const { requestType, oobCode, apiKey, locale, continueUrl } = link;
  const page = new URL('/__/auth/action', origin);
  page.searchParams.set('mode', modes[requestType]);
  page.searchParams.set('oobCode', oobCode);
  page.searchParams.set('apiKey', apiKey);
  page.searchParams.set('lang', locale ?? 'en');
  if (continueUrl) page.searchParams.set('continueUrl', continueUrl);
  return page;
}
