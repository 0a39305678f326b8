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

/** The mail server did not take this mail for now; it takes others. */
export class MailDeferred extends ProviderUnavailable {
  override name = 'MailDeferred';
}

/** The mail server refused this mail, and perhaps all of ours: only the next ones can tell. */
export class MailRefused extends ProviderUnavailable {
  override name = 'MailRefused';
}

/**
 * Sends mail. Throws ProviderRefused where the address takes none for good, MailDeferred, MailRefused, or ProviderUnavailable
 * without a server that takes our mails.
 */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}
