/** Where the links of a mail lead. */
export interface Links {
  /** A page of the supporter's tenant, such as `/dashboard`. */
  page(path: string): URL;
  /** A renewal screen for this supporter's address, with the token that opens the bank's pages until then. */
  renewal(purpose: 'extend' | 'expired', until: Date): URL;
}
