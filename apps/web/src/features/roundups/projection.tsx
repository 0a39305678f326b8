import { retrieveWeeklyOutlook } from '@sparechange/contract';
import type { RoundUpStep, WeeklyLimit } from '@sparechange/domain';
import { useQuery } from '@tanstack/react-query';
import { call } from '#api/call.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { LimitMeter } from './limit-meter.tsx';
import styles from './outlook.module.css';
import { firstWeek, limitOutlook, limitRule, stepOutlook } from './projection-words.ts';

export interface OutlookProps {
  /** Beside which control it stands. */
  of: 'step' | 'limit';
  step: RoundUpStep;
  limit: WeeklyLimit;
  /** The limit that switching on begins with. */
  usual?: WeeklyLimit;
}

/** Shows what a control would have come to, before it is touched, and the use of the limit. */
export default function Outlook({ of, step, limit, usual = 1000 }: OutlookProps) {
  const { cdrid } = useCaller();
  const { data } = useQuery({
    queryKey: ['weekly outlook', cdrid],
    queryFn: async () => (await call(retrieveWeeklyOutlook, { cdrid })).weeklyOutlook,
  });
  if (!data) return null;
  const { lookingBack } = data;
  return (
    <>
      {of === 'limit' && limit > 0 && <LimitMeter limit={limit} {...data} />}
      <p className={styles.outlook}>
        {of === 'step'
          ? lookingBack
            ? stepOutlook(lookingBack, limit)
            : firstWeek
          : lookingBack
            ? limitOutlook(lookingBack, step, limit, usual)
            : limitRule(limit)}
      </p>
    </>
  );
}
