import type { TenantSettings } from '@sparechange/contract';
import { sydneyDay } from '@sparechange/domain';
import { getStart, getTenant } from './current.ts';

/** Returns the tenant's own page, or ours without one. */
export const supportPage = (settings: TenantSettings): string =>
  settings.supportURL ?? (hasSavings(settings) ? '/pages/faq.html' : '/pages/faq-without-savings.html');
export const termsPage = ({ termsURL }: TenantSettings): string => termsURL ?? '/pages/terms.html';
export const directDebitTermsPage = ({ directDebitTermsURL }: TenantSettings): string =>
  directDebitTermsURL ?? '/pages/direct-debit-terms.html';
export const privacyPage = '/pages/privacy.html';

/** Tenant "aca" sees nothing of savings. */
export const hasSavings = ({ tenant }: Pick<TenantSettings, 'tenant'> = getTenant()): boolean => tenant !== 'aca';

/** Returns true from `endsOn`, a Sydney day (docs/rules.md#end-of-a-campaign). */
export function hasEnded({ endsOn }: Pick<TenantSettings, 'endsOn'>, now: Date): boolean {
  return endsOn !== undefined && sydneyDay(now) >= endsOn;
}

/** Returns true if this brand's campaign is over, by the server's day where the server wrote it. */
export const isCampaignOver = (): boolean => getStart().landings?.brand.hasEnded ?? hasEnded(getTenant(), new Date());
