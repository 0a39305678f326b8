import type { Outbox } from '#webhooks/outbox.ts';
import type { Clock } from './clock.ts';
import type { Db } from './database.ts';
import type { Agenda } from './scheduler.ts';

/** The clock, database and settings that every part of the sandbox shares. */
export interface World {
  db: Db;
  clock: Clock;
  agenda: Agenda;
  outbox: Outbox;
  /** Where browsers and clients reach the sandbox, without a slash at the end. */
  origin: string;
  /** The application's one address to return to after consent. */
  redirectUrl: string;
}
