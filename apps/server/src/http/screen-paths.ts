import { isReservedSlug } from '@sparechange/domain/reserved-slugs';
import { withoutTrailingSlashes } from '#trailing-slashes.ts';

/** Screens whose paths have a second part: an address, a token, a slug. Those with one part are a screen or a club's slug. */
const longer =
  /^\/(clubs|extend-consent|expired-consent|skip-debit|debit-mails|advice-mails|join|hand-off|confirm-email|__\/auth)\/[^/]+$/;

/** Returns true for a path that may be a screen; all else is a 404. */
export function mayBeScreen(path: string): boolean {
  const plain = withoutTrailingSlashes(path);
  return /^(\/[^/.]*)?$/.test(plain) || longer.test(plain);
}

/** Returns the club slug a path may stand for. */
export function slugOfPath(path: string): string | undefined {
  const [, first] = /^\/([^/]+)$/.exec(withoutTrailingSlashes(path)) ?? [];
  return first === undefined || isReservedSlug(first) ? undefined : first.toLowerCase();
}
