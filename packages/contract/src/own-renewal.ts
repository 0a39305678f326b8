import { z } from 'zod';
import { operation } from './operation.ts';

export const renewOwnConsent = operation({
  name: 'renewOwnConsent',
  method: 'POST',
  path: '/client/round-up/user/renew-consent',
  access: 'supporter',
  summary:
    "A fresh link to the renewal step that is due: to extend the consent, to confirm the bank's own permission, or to consent again. With nothing due, to /linked-accounts.",
  refusals: { 404: 'the caller has not registered', 502: 'the bank cannot be reached' },
  input: z.object({ cdrid: z.uuid() }),
  output: z.object({ consentLink: z.url() }),
});
