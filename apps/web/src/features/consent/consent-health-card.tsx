import type { UserRecord } from '@sparechange/contract';
import { isoDate, longDay } from '@sparechange/domain';
import { Card } from '#ui/card.tsx';
import { actionOf, adviceOf } from './consent-advice.ts';
import styles from './consent-health-card.module.css';
import { RenewButton } from './renew-button.tsx';

/** The end of the consent, the bank's last answer, and the next step. */
export function ConsentHealthCard({ health }: { health: UserRecord['consentHealth'] }) {
  const advice = adviceOf(health);
  const action = actionOf(health);
  const { state, endsOn, bankEndsOn, dataOn } = health;
  if (state === 'none') return null;
  return (
    <Card title="Bank Connection">
      <dl className={styles.days}>
        {endsOn && (
          <div>
            <dt>{state === 'expired' || state === 'withdrawn' ? 'Consent ended' : 'Consent ends'}</dt>
            <dd>{longDay(isoDate(endsOn))}</dd>
          </div>
        )}
        {state === 'bank ends soon' && bankEndsOn && (
          <div>
            <dt>Your bank shares until</dt>
            <dd>{longDay(isoDate(bankEndsOn))}</dd>
          </div>
        )}
        <div>
          <dt>Last data from your bank</dt>
          <dd>{dataOn ? longDay(isoDate(dataOn)) : 'None yet'}</dd>
        </div>
      </dl>
      {advice && <p>{advice}</p>}
      {action && <RenewButton>{action}</RenewButton>}
    </Card>
  );
}
