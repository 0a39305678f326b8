import { Skeleton } from '#ui/skeleton.tsx';

/** As tall as what will stand there, so that nothing moves when it comes. */
export const GivingAndSavingWaiting = () => <Skeleton width="100%" height={124} />;
