import type { UserRecord } from '@sparechange/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { userQuery } from './user-query.ts';

const firstVisitMs = 30_000;
const maxAwaitedMs = 300_000;
const pollEveryMs = 3_000;

/** The navigation state for a first visit to the dashboard. */
export const firstVisit = { isFirstVisit: true } as const;

const isFirst = (state: unknown): boolean => typeof state === 'object' && state !== null && 'isFirstVisit' in state;

/** Returns true until the bank has first sent something. */
const hasNoData = ({ onboardingComplete, isConsent, isUserPausedRoundUp, consentHealth }: UserRecord): boolean =>
  onboardingComplete && isConsent && !isUserPausedRoundUp && consentHealth.dataOn === null;

/**
 * Returns true while the first purchases are being fetched: for five minutes at most until the bank has sent something, and
 * on the first visit for half a minute or until something waits for a debit. Until then the supporter is refetched every
 * few seconds.
 */
export function useFirstSync(user: UserRecord | undefined, userId: string): boolean {
  const { state } = useLocation();
  const isFirstVisit = useForAWhile(firstVisitMs) && isFirst(state);
  const isAwaited = useForAWhile(maxAwaitedMs) && user !== undefined && hasNoData(user);
  const isLooking = isAwaited || (isFirstVisit && (user?.nextDebit?.amountCents ?? 0) === 0);
  useQuery({ ...userQuery(userId), refetchInterval: isLooking && pollEveryMs });
  return isLooking;
}

/** Returns true for a time from the first rendering on. */
function useForAWhile(ms: number): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return !isOver;
}
