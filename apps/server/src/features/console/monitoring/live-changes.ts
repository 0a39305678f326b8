import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { followed } from '@sparechange/contract/console';
import { Unavailable } from '#errors.ts';

/** Somebody's open stream. */
export interface Follower {
  operatorId: string;
  /** The hash of the session's token, in hexadecimal digits. */
  session: string;
  send(text: string): void;
  end(): void;
}

interface LiveParts {
  /** Reads by what the answers of operations are known to change, by operation. */
  read(): Promise<Record<string, unknown>>;
  /** Returns those of the sessions that have not ended. */
  listSessions(sessions: string[]): Promise<Set<string>>;
  /** Is called with why the figures could not be read. */
  onFailure?(error: unknown): void;
  everyMs?: number;
  longestLookMs?: number;
}

/** Streams that one person may have open at a process, as in several windows; the oldest makes room. */
const maxOfPerson = 5;
const maxOpen = 500;
/** Proxies end what says nothing for a minute. */
const beatMs = 15_000;
/** Figures that take longer are taken for ones that never come, as from a database that hangs. */
const usualLookMs = 30_000;

const event = (changed: readonly string[]) => `event: changed\ndata: ${JSON.stringify({ changed })}\n\n`;

/**
 * Tells open streams what has changed: figures are read every few seconds, once a process however many follow, and not at
 * all while nobody does. A stream ends with its session, and all of them where the figures cannot be read.
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
      close(); // browsers ask again by themselves
    }
    isLooking = false;
  }

  return {
    /** Begins to tell a stream, which may have missed everything so far, what changes; returns what ends it. */
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
