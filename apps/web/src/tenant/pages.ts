import type { TenantSettings } from '@sparechange/contract';

/** A tenant may bring its own pages; ours are there for everybody else. */
export const supportPage = ({ supportURL }: TenantSettings): string => supportURL ?? '/pages/faq.html';
export const termsPage = ({ termsURL }: TenantSettings): string => termsURL ?? '/pages/terms.html';
export const directDebitTermsPage = ({ directDebitTermsURL }: TenantSettings): string =>
  directDebitTermsURL ?? '/pages/direct-debit-terms.html';
export const privacyPage = '/pages/privacy.html';
