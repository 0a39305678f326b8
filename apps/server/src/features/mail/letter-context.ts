/** What a mail needs to know of its surroundings. */
export interface LetterContext {
  /** A page of the supporter's tenant, such as `/dashboard`. */
  page(path: string): URL;
  /** A renewal screen for this supporter's address, with the token that opens the bank's pages until then. */
  renewal(purpose: 'extend' | 'expired', until: Date): URL;
  /** So long an expired consent may be renewed before the data from the bank are deleted. */
  graceDays: number;
}
