import type { TenantSettings } from '@sparechange/contract';
import { hasSavings } from './has-savings.ts';

/** A tenant may bring its own pages; ours are there for everybody else. */
export const supportPage = (settings: TenantSettings): string =>
  settings.supportURL ?? (hasSavings(settings) ? '/pages/faq.html' : '/pages/faq-without-savings.html');
export const termsPage = ({ termsURL }: TenantSettings): string => termsURL ?? '/pages/terms.html';
export const directDebitTermsPage = ({ directDebitTermsURL }: TenantSettings): string =>
  directDebitTermsURL ?? '/pages/direct-debit-terms.html';
export const privacyPage = '/pages/privacy.html';
