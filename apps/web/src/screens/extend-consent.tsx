import { extendConsent } from '@sparechange/contract';
import { ConsentRenewal } from '#features/consent/consent-renewal.tsx';

/** /extend-consent/:email, before the consent ends. */
export default function ExtendConsent() {
  return <ConsentRenewal title="Extend CDR Consent" operation={extendConsent} unchanged="Nothing changes" />;
}
