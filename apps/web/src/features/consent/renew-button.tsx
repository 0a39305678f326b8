import { renewOwnConsent } from '@sparechange/contract';
import { call } from '#api/call.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { Button } from '#ui/button.tsx';
import { FormProblem } from '#ui/notice.tsx';
import { messages } from '../../messages.ts';
import styles from './renew-button.module.css';
import { useConsentLink } from './use-consent-link.ts';

/** Leads to the bank for the renewal's due step. */
export function RenewButton({ children }: { children: string }) {
  const { cdrid } = useCaller();
  const link = useConsentLink(() => call(renewOwnConsent, { cdrid }));
  return (
    <div className={styles.renew}>
      <FormProblem words={messages.somethingWrong} isShown={link.isError} />
      <Button isBusy={link.isBusy} onClick={link.go}>
        {children}
      </Button>
    </div>
  );
}
