import type { IsoDate } from '@sparechange/domain';

/** The surroundings of an email. */
export interface EmailContext {
  /** A page of the supporter's tenant, such as `/dashboard`. */
  page(path: string): URL;
  /** A renewal link that opens the bank's pages until then. */
  renewal(purpose: 'extend' | 'expired', until: Date): URL;
  /** The page that confirms the address; undefined once it is. */
  confirmEmail(): URL | undefined;
  /** The page that skips one debit, and the one that stops the mails before debits; both open to whoever holds them. */
  skip(run: IsoDate): URL;
  stopDebitNotices(): URL;
  /** The copied direct debit request's wording; empty for other mails. */
  directDebitText: string;
  /** The name our debits carry on statements. */
  statementName: string;
  /** Days to renew an expired consent before bank data deletion. */
  graceDays: number;
}
