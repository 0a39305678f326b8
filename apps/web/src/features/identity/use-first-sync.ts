import type { UserRecord } from '@sparechange/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { userQuery } from './user-query.ts';

const lastsMs = 30_000;
const askedEveryMs = 3_000;

/** The navigation state for a first visit to the dashboard. */
export const firstVisit = { isFirstVisit: true } as const;

const isFirst = (state: unknown): boolean => typeof state === 'object' && state !== null && 'isFirstVisit' in state;

/**
 * Returns true while the first purchases are being fetched: for half a minute after onboarding, or until something
 * waits for a debit. Until then the supporter is asked for again every few seconds.
 */
export function useFirstSync(user: UserRecord | undefined, userId: string): boolean {
  const { state } = useLocation();
  const [isOver, setOver] = useState(!isFirst(state));
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), lastsMs);
    return () => clearTimeout(timer);
  }, []);
  const isLooking = !isOver && (user?.nextDebit?.amountCents ?? 0) === 0;
  useQuery({ ...userQuery(userId), refetchInterval: isLooking && askedEveryMs });
  return isLooking;
}
