import { isReservedSlug } from '@sparechange/domain/reserved-slugs';

/** Screens whose paths have a second part: an address, a token, a slug. Those with one part are a screen or a club's slug. */
const longer =
  /^\/(clubs|extend-consent|expired-consent|skip-debit|debit-mails|advice-mails|hand-off|confirm-email|__\/auth)\/[^/]+$/;

const withoutSlashes = (path: string): string => path.replace(/\/+$/, '');

/** Returns true where the web app has something to show, so that everything else is honestly not found. */
export function isScreen(path: string): boolean {
  const plain = withoutSlashes(path);
  return /^(\/[^/.]*)?$/.test(plain) || longer.test(plain);
}

/** Returns the slug that a path may be of a club. */
export function slugOfPath(path: string): string | undefined {
  const [, first] = /^\/([^/]+)$/.exec(withoutSlashes(path)) ?? [];
  return first === undefined || isReservedSlug(first) ? undefined : first.toLowerCase();
}
