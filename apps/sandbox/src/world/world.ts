import type { Outbox } from '#webhooks/outbox.ts';
import type { Clock } from './clock.ts';
import type { Db } from './database.ts';
import type { Agenda } from './scheduler.ts';

/** The clock, database and settings shared by the sandbox's parts. */
export interface World {
  db: Db;
  clock: Clock;
  agenda: Agenda;
  outbox: Outbox;
  /** The address for browsers and clients, without a final slash. */
  origin: string;
  /** The application's one address to return to after consent. */
  redirectUrl: string;
}
