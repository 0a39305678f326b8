import { renewExpiredConsent } from '@sparechange/contract';
import { ConsentRenewal } from '#features/consent/consent-renewal.tsx';

/** /expired-consent/:email, after the consent has ended. */
export default function ExpiredConsent() {
  return <ConsentRenewal title="Expired CDR Consent" operation={renewExpiredConsent} unchanged="Round-ups are off" />;
}
