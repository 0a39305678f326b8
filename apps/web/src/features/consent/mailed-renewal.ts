/**
 * The mailed link by which somebody who is not signed in went to the bank, kept in the tab for the way back: its screen
 * tells what is left to do. Keeping the link reveals nothing new: the browser's history holds it anyway.
 */
const key = 'mailedRenewal';

export const keepMailedRenewal = (path: string): void => sessionStorage.setItem(key, path);

export function readMailedRenewal(): string | undefined {
  const path = sessionStorage.getItem(key);
  return path?.startsWith('/extend-consent/') ? path : undefined;
}
