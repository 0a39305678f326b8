import type { UserRecord } from '@sparechange/contract';
import { Warning } from '#ui/notice.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { lineOf } from './consent-advice.ts';

/** Shows a line only while the consent needs something done. */
export function ConsentLine({ health }: { health: UserRecord['consentHealth'] }) {
  const line = lineOf(health);
  if (!line) return null;
  return (
    <div role="status">
      <Warning>
        {line} <TextLink to="/linked-accounts">{health.state === 'ends soon' ? 'Renew it' : 'Review it'}</TextLink>
      </Warning>
    </div>
  );
}
