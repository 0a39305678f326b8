/** State of the mail server during a round. */
export interface MailServerState {
  hasAnswered: boolean;
  /** True once an attempt got no answer about its email. */
  isSilent: boolean;
  /** True after an earlier outage until the server answers. */
  isDoubted: boolean;
  /** Consecutive attempts that found no server, or one that refused the email. */
  unavailable: number;
  failure: string;
}

/** Consecutive attempts without a server after which no more emails are taken; a single one may be an accident. */
const unavailableInARow = 3;

export const isUnavailable = ({ isDoubted, unavailable }: MailServerState): boolean =>
  unavailable >= (isDoubted ? 1 : unavailableInARow);

export function noteAnswer(server: MailServerState): void {
  server.hasAnswered = true;
  server.isDoubted = false;
  server.unavailable = 0;
}

/** Notes an attempt that found no server, or one that refused an email. */
export function noteUnavailable(server: MailServerState, failure: string, isSilent: boolean): void {
  server.unavailable += 1;
  server.isSilent ||= isSilent;
  server.failure = failure;
}
