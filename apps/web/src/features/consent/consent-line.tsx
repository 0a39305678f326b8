import type { UserRecord } from '@sparechange/contract';
import { TextLink } from '#ui/text-link.tsx';
import { lineOf } from './consent-advice.ts';
import styles from './consent-line.module.css';

/** One line on the dashboard, and only while there is something to do about the consent. */
export function ConsentLine({ health }: { health: UserRecord['consentHealth'] }) {
  const line = lineOf(health);
  if (!line) return null;
  return (
    <p className={styles.line}>
      {line} <TextLink to="/linked-accounts">Look at it</TextLink>
    </p>
  );
}
