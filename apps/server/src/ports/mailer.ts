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
  /** Where mail programs post an unsubscription (RFC 8058). */
  unsubscribe?: URL;
  attachments?: Attachment[];
}

/** Sends mail; throws ProviderUnavailable if worth retrying, otherwise ProviderRefused. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}
