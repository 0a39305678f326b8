import type { Logger } from 'pino';
import { uuidForm } from '#uuid.ts';

const maxCauses = 10;

const anyUuid = new RegExp(uuidForm, 'gi');

/** Returns the cause without control characters and details that differ between calls, so that it counts once. */
export const causeOf = ({ message }: Error): string =>
  message
    .replace(/\p{Cc}/gu, ' ')
    .replace(/,? ?correlationId [\w-]+/gi, '')
    .replace(anyUuid, '…')
    .slice(0, 200);

/** Counts failures by cause: an outage gives one log line per cause instead of one per supporter. */
export function failureTally(log: Pick<Logger, 'warn'>, about: string) {
  const causes = new Map<string, { supporters: number; example: string }>();
  return {
    onFailure(supporterId: string, error: Error): void {
      const cause = causeOf(error);
      const known = causes.get(cause) ?? (causes.size < maxCauses ? undefined : causes.get('other causes'));
      if (known) known.supporters += 1;
      else causes.set(causes.size < maxCauses ? cause : 'other causes', { supporters: 1, example: supporterId });
    },
    /** Logs the failures counted since the last time. */
    write(): void {
      for (const [cause, { supporters, example }] of causes) log.warn({ cause, supporters, example }, about);
      causes.clear();
    },
  };
}
