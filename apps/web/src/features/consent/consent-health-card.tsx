import { renewOwnConsent, type UserRecord } from '@sparechange/contract';
import { isoDate, longDay } from '@sparechange/domain';
import { call } from '#api/call.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { FormError } from '#ui/notice.tsx';
import { messages } from '../../messages.ts';
import { adviceOf, wantsRenewal } from './consent-advice.ts';
import styles from './consent-health-card.module.css';
import { useConsentLink } from './use-consent-link.ts';

/** Until when the bank may be asked, when it last answered, and what there is to do about it. */
export function ConsentHealthCard({ health }: { health: UserRecord['consentHealth'] }) {
  const { cdrid } = useCaller();
  const link = useConsentLink(() => call(renewOwnConsent, { cdrid }));
  const advice = adviceOf(health);
  const { state, endsOn, dataOn } = health;
  if (state === 'none') return null;
  return (
    <Card title="Bank Connection">
      <dl className={styles.days}>
        {endsOn && (
          <div>
            <dt>{state === 'ran out' || state === 'withdrawn' ? 'Consent ended' : 'Consent ends'}</dt>
            <dd>{longDay(isoDate(endsOn))}</dd>
          </div>
        )}
        <div>
          <dt>Last data from your bank</dt>
          <dd>{dataOn ? longDay(isoDate(dataOn)) : 'None yet'}</dd>
        </div>
      </dl>
      {advice && <p>{advice}</p>}
      {wantsRenewal(health) && (
        <Button isBusy={link.isBusy} onClick={link.go}>
          Renew Consent
        </Button>
      )}
      {link.isError && <FormError>{messages.somethingWrong}</FormError>}
    </Card>
  );
}
