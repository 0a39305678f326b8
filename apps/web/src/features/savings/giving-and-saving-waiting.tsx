import { Skeleton } from '#ui/card.tsx';

/** As tall as the answer, so that nothing moves. */
export const GivingAndSavingWaiting = () => <Skeleton width="100%" height={124} />;
