import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import type { Mail, Mailer } from '#ports/mailer.ts';

const minuteMs = 60_000;
/** Pauses between attempts, about three days before giving up. */
const pausesMinutes = [1, 5, 15, 60, 180, 360, 720, 1440, 1440];

export type HandedOver =
  | { became: 'sent' }
  /** The address said no for good. */
  | { became: 'refused'; because: string }
  | { became: 'waiting'; because: string; pauseMs: number }
  | { became: 'given up'; because: string };

/** Tries sending a mail once; returns what is to follow. */
export async function handOver(mailer: Mailer, mail: Mail, attemptsBefore: number): Promise<HandedOver> {
  try {
    await mailer.send(mail);
    return { became: 'sent' };
  } catch (error) {
    if (error instanceof ProviderRefused) return { became: 'refused', because: error.reason };
    if (!(error instanceof ProviderUnavailable)) throw error;
    const pause = pausesMinutes[attemptsBefore];
    if (pause === undefined) return { became: 'given up', because: error.message };
    return { became: 'waiting', because: error.message, pauseMs: pause * minuteMs };
  }
}
