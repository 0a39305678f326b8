import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { consoleOperations, isFollowed } from '@sparechange/contract/console';
import { Unavailable } from '#errors.ts';

/** A person's open stream. */
export interface Follower {
  operatorId: string;
  /** Hash of the session's token, in hexadecimal digits. */
  session: string;
  send(text: string): void;
  end(): void;
}

interface LiveParts {
  /** Reads the figures that indicate changed answers, by operation. */
  read(): Promise<Record<string, unknown>>;
  /** Returns those of the sessions that have not ended. */
  listSessions(sessions: string[]): Promise<Set<string>>;
  /** Called with the reason for unreadable figures. */
  onFailure?(error: unknown): void;
  everyMs?: number;
  longestLookMs?: number;
}

/** Maximum of open streams per person and process, for several windows; the oldest makes room. */
const maxOfPerson = 5;
const maxOpen = 500;
/** Proxies end a connection that is silent for a minute. */
const beatMs = 15_000;
/** Time after which figures are taken never to come, for instance from a database that hangs. */
const usualLookMs = 30_000;

const followed = consoleOperations.filter(isFollowed).map(({ name }) => name);

const event = (changed: readonly string[]) => `event: changed\ndata: ${JSON.stringify({ changed })}\n\n`;

/**
 * Notifies open streams of changes: figures are read every few seconds, once per process however many follow, and not
 * at all without followers. A stream ends with its session, and all of them if the figures cannot be read.
 */
export function liveChanges({
  read,
  listSessions,
  onFailure,
  everyMs = 3_000,
  longestLookMs = usualLookMs,
}: LiveParts) {
  const followers = new Set<Follower>();
  let known: Record<string, string> = {};
  let isLooking = false;
  let saidAt = 0;
  const outsideOfRequests = AsyncLocalStorage.snapshot();

  const leave = (follower: Follower) => {
    if (followers.delete(follower)) follower.end();
  };
  const close = () => followers.forEach(leave);
  const say = (text: string) => {
    saidAt = performance.now();
    for (const { send } of followers) send(text);
  };

  async function look(): Promise<void> {
    const found = Object.entries(await read()).map(([name, value]) => [name, JSON.stringify(value)] as const);
    const changed = found.filter(([name, value]) => known[name] !== value).map(([name]) => name);
    known = Object.fromEntries(found);
    const sessions = await listSessions([...followers].map(({ session }) => session));
    for (const follower of followers) if (!sessions.has(follower.session)) leave(follower);
    if (changed.length > 0) say(event(changed));
    else if (performance.now() - saidAt > beatMs) say(':\n\n');
  }

  async function tooLate(): Promise<never> {
    await wait(longestLookMs, undefined, { ref: false });
    throw new Unavailable('The figures took too long.');
  }

  async function lookWhileFollowed(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    known = {};
    try {
      while (followers.size > 0) {
        await Promise.race([look(), tooLate()]); // the first names everything
        await wait(everyMs, undefined, { ref: false });
      }
    } catch (error) {
      onFailure?.(error);
      close(); // browsers reconnect automatically
    }
    isLooking = false;
  }

  return {
    /**
     * Starts notifying a stream, which may have missed everything so far, of changes; returns the function that ends
     * it.
     */
    follow(follower: Follower): () => void {
      const [oldest, ...others] = [...followers].filter(({ operatorId }) => operatorId === follower.operatorId);
      if (oldest && others.length + 1 >= maxOfPerson) leave(oldest);
      if (followers.size >= maxOpen) throw new Unavailable('Too many people follow what changes.');
      followers.add(follower);
      if (isLooking) follower.send(event(followed));
      else void outsideOfRequests(lookWhileFollowed);
      return () => leave(follower);
    },
  };
}
