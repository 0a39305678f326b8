import type { TenantSettings } from '@sparechange/contract';
import { hasSavings } from './has-savings.ts';

/** Returns the tenant's own page, or ours without one. */
export const supportPage = (settings: TenantSettings): string =>
  settings.supportURL ?? (hasSavings(settings) ? '/pages/faq.html' : '/pages/faq-without-savings.html');
export const termsPage = ({ termsURL }: TenantSettings): string => termsURL ?? '/pages/terms.html';
export const directDebitTermsPage = ({ directDebitTermsURL }: TenantSettings): string =>
  directDebitTermsURL ?? '/pages/direct-debit-terms.html';
export const privacyPage = '/pages/privacy.html';
