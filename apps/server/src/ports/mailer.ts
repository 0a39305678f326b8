export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Hands a mail to a server. Throws ProviderUnavailable when it may be tried again, ProviderRefused when not. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}
