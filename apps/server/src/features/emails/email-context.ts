import type { IsoDate } from '@sparechange/domain';

/** The surroundings of an email. */
export interface EmailContext {
  /** A page of the supporter's tenant, such as `/dashboard`. */
  page(path: string): URL;
  /** A renewal screen for this supporter's address, with the token that opens the bank's pages until then. */
  renewal(purpose: 'extend' | 'expired', until: Date): URL;
  /** The page that confirms the address; undefined once it is. */
  confirmEmail(): URL | undefined;
  /** The page that skips one debit, and the one that stops the mails before debits; both open to whoever holds them. */
  skip(run: IsoDate): URL;
  stopDebitMails(): URL;
  /** The wording of the direct debit request that a copy is of; empty for other mails. */
  directDebitText: string;
  /** The name our debits carry on statements. */
  statementName: string;
  /** Days in which an expired consent may be renewed before the bank data are deleted. */
  graceDays: number;
}
