import type { Outbox } from '#webhooks/outbox.ts';
import type { Clock } from './clock.ts';
import type { Db } from './database.ts';
import type { Scheduler } from './scheduler.ts';

/** The clock, database and settings shared by the sandbox's parts. */
export interface World {
  db: Db;
  clock: Clock;
  scheduler: Scheduler;
  outbox: Outbox;
  /** The address for browsers and clients, without a final slash. */
  origin: string;
  /** The application's one address to return to after consent. */
  redirectUrl: string;
}

/** Sets the sandbox's time and lets everything due happen. */
export async function moveClock({ clock, scheduler }: World, to: { now: Date } | { offsetMs: number }): Promise<void> {
  clock.setOffset('now' in to ? clock.offsetMs() + to.now.getTime() - clock.now() : to.offsetMs);
  await scheduler.runDue();
}
