import type { ResetLink } from './identity-deps.ts';

/** The reset page of the product at `origin`, with the parameters that Firebase's own links have. */
export function resetPageAt(origin: string, { oobCode, apiKey, locale, continueUrl }: ResetLink): URL {
  const page = new URL('/__/auth/action', origin);
  page.searchParams.set('mode', 'resetPassword');
  page.searchParams.set('oobCode', oobCode);
  page.searchParams.set('apiKey', apiKey);
  page.searchParams.set('lang', locale ?? 'en');
  if (continueUrl) page.searchParams.set('continueUrl', continueUrl);
  return page;
}
