import { ProviderUnavailable } from './errors.ts';

export interface Attachment {
  name: string;
  type: string;
  content: Uint8Array;
}

export interface Mail {
  /** Letters and digits, the same on resending, so servers deduplicate. */
  id?: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Where mail clients post an unsubscription (RFC 8058). */
  unsubscribe?: URL;
  attachments?: Attachment[];
}

/** A mail server's report that an email of ours was not delivered (RFC 3464). */
export interface FailedDelivery {
  /** The id that the email was sent with, as in its Message-ID. */
  mailId: string;
  /** Addresses it was meant for: as we wrote it, and as servers on the way did. */
  addresses: string[];
  /** The three numbers of RFC 3463, such as 5.1.1. */
  status: string;
  /** The server's words, without addresses. */
  reason: string;
}

/** Returns whether a status of RFC 3463 is about the address: no such mailbox or domain, or a mailbox that takes nothing. */
export const concernsAddress = (status: string): boolean => /^5\.(1\.(?![78]\b)|2\.(?!3\b))/.test(status);

/** The mail server did not take this email for now; it takes others. */
export class MailDeferred extends ProviderUnavailable {
  override name = 'MailDeferred';
}

/** The mail server refused this email, and perhaps all of ours: only the next ones can tell. */
export class MailRefused extends ProviderUnavailable {
  override name = 'MailRefused';
}

/**
 * Sends mail. Throws ProviderRefused where the address takes none for good, MailDeferred, MailRefused, or
 * ProviderUnavailable without a server that takes our emails.
 */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}
