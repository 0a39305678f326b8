import { renewExpiredConsent } from '@sparechange/contract';
import { ConsentRenewal } from '#features/consent/consent-renewal.tsx';

/** /expired-consent/:email, after the consent has ended (spec section 2). */
export default function ExpiredConsent() {
  return <ConsentRenewal title="Expired CDR Consent" operation={renewExpiredConsent} />;
}
