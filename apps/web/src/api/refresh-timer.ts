import type { User } from '@firebase/auth';

const refreshBeforeEndMs = 5 * 60_000;
const retryMs = 30_000;

/** Returns the wait before the token is refreshed: until 5 minutes before its end, none when that has passed. */
export function msUntilRefresh(expiresAtMs: number, nowMs: number): number {
  return Math.max(0, expiresAtMs - refreshBeforeEndMs - nowMs);
}

/**
 * Refreshes the ID token 5 minutes before it expires. The SDK alone does so only when another of
 * its products asks for the token. A page that slept or was offline checks again when it wakes.
 */
export function keepTokenFresh(): { follow: (user: User | null) => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let current: User | null = null;

  async function plan(): Promise<void> {
    clearTimeout(timer);
    const user = current;
    if (!user) return;
    const { expirationTime } = await user.getIdTokenResult();
    if (user !== current) return;
    clearTimeout(timer);
    timer = setTimeout(() => void refresh(user), msUntilRefresh(Date.parse(expirationTime), Date.now()));
  }

  async function refresh(user: User): Promise<void> {
    try {
      await user.getIdToken(true); // a new token plans the next refresh through onIdTokenChanged
    } catch (error) {
      const isOffline = error instanceof Error && error.message.includes('network-request-failed');
      if (isOffline && user === current) timer = setTimeout(() => void refresh(user), retryMs);
    }
  }

  const planSafely = () => void plan().catch((error: unknown) => console.error(error));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') planSafely();
  });
  addEventListener('online', planSafely);

  return {
    follow(user) {
      current = user;
      planSafely();
    },
  };
}
