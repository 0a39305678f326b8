/** What nodemailer says of a mail that was not sent. */
export interface SmtpFailure extends Error {
  code?: string;
  /** The server's three digits, when it answered at all. */
  responseCode?: number;
}

/** About this mail or its address, not about reaching or signing in to the server. */
const aboutTheMail = ['EENVELOPE', 'EMESSAGE'];

/**
 * Whether sending the same mail again is pointless: the server refused the sender, recipient or content for good
 * (5xx), or there is no address to send to. Refused sign-ins (535) and greetings (554) are ours to put right and the
 * mail is worth keeping.
 */
export function isPermanent({ code, responseCode }: SmtpFailure): boolean {
  if (!aboutTheMail.includes(code ?? '')) return false;
  return responseCode === undefined ? code === 'EENVELOPE' : responseCode >= 500;
}
