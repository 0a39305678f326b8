export interface Attachment {
  name: string;
  type: string;
  content: Uint8Array;
}

export interface Mail {
  /** Letters and digits, the same when it is sent again: mail servers know the two for one. */
  id?: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Where a mail program posts when its reader wants no more of these (RFC 8058). */
  unsubscribe?: URL;
  attachments?: Attachment[];
}

/** Hands a mail to a server. Throws ProviderUnavailable when it may be tried again, ProviderRefused when not. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}
