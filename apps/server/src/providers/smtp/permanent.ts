/** Nodemailer's error for a mail that was not sent. */
export interface SmtpFailure extends Error {
  code?: string;
  /** The server's three digits, when it answered at all. */
  responseCode?: number;
}

/** About the mail or its address, not the server connection. */
const aboutTheMail = ['EENVELOPE', 'EMESSAGE'];

/**
 * Returns whether sending a mail again is pointless: the server refused sender, recipient or content for good (5xx), or
 * there is no address. Refused sign-ins (535) and greetings (554) are ours to put right.
 */
export function isPermanent({ code, responseCode }: SmtpFailure): boolean {
  if (!aboutTheMail.includes(code ?? '')) return false;
  return responseCode === undefined ? code === 'EENVELOPE' : responseCode >= 500;
}
