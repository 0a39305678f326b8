import { Skeleton } from '#ui/skeleton.tsx';

/** As tall as the six steps that will stand there, so that the terms under them stay where they are. */
export const StepsWaiting = () => <Skeleton width="100%" height="calc(6 * var(--row))" />;
