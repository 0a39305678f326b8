/**
 * The mailed link that led a signed-out supporter to the bank, kept in the tab for the return: its screen shows the
 * remaining steps. Keeping the link reveals nothing new, as the browser's history holds it anyway.
 */
const key = 'mailedRenewal';

export const keepMailedRenewal = (path: string): void => sessionStorage.setItem(key, path);

export function readMailedRenewal(): string | undefined {
  const path = sessionStorage.getItem(key);
  return path?.startsWith('/extend-consent/') ? path : undefined;
}
