/** Screens whose paths have a second part: an address, a token, a slug. Those with one part are a screen or a club's slug. */
const longer =
  /^\/(clubs|extend-consent|expired-consent|skip-debit|debit-mails|hand-off|confirm-email|__\/auth)\/[^/]+$/;

/** Returns true where the web app has something to show, so that everything else is honestly not found. */
export function isScreen(path: string): boolean {
  const plain = path.replace(/\/+$/, '');
  return /^(\/[^/.]*)?$/.test(plain) || longer.test(plain);
}
