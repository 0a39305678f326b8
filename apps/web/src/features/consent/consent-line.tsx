import type { UserRecord } from '@sparechange/contract';
import { TextLink } from '#ui/text-link.tsx';
import { lineOf } from './consent-advice.ts';
import styles from './consent-line.module.css';

/** Shows a line only while the consent needs something done. */
export function ConsentLine({ health }: { health: UserRecord['consentHealth'] }) {
  const line = lineOf(health);
  if (!line) return null;
  return (
    <p className={styles.line}>
      {line} <TextLink to="/linked-accounts">Review it</TextLink>
    </p>
  );
}
