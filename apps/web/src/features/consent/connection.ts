/** The states of the bank connection on /consented and /confirmed. */

export const pollEveryMs = 5000;
const retries = 5;

interface Words {
  heading: string;
  message: string;
}

export type Connection = Words & { retriesLeft: number } & (
    | { step: 'searching' }
    | { step: 'checking' | 'waiting' | 'retrieving'; jobId: string }
    /** The last try when the retries are used up. */
    | { step: 'retrieving once' }
    | { step: 'connected' }
    | { step: 'verification'; cause: FailureCause }
  );

export type ConnectionEvent =
  | { type: 'job found'; jobId: string }
  | { type: 'job pending' }
  | { type: 'waited' }
  | { type: 'job done' }
  | { type: 'accounts retrieved' }
  /** The bank is connected; its job is too old. */
  | { type: 'connected before' }
  | { type: 'failed'; cause: FailureCause };

export type FailureCause = 'declined' | 'failed_at_bank' | 'unreachable' | 'no_job' | 'no_answer_yet';

export function startConnection(jobId: string | undefined): Connection {
  if (jobId === undefined) {
    return {
      step: 'searching',
      heading: 'Searching For Connection!',
      message: 'We are having some trouble confirming your connection, this might take a minute',
      retriesLeft: retries,
    };
  }
  return { step: 'checking', jobId, ...starting, retriesLeft: retries };
}

export const starting: Words = {
  heading: 'Connecting...',
  message: 'Checking your bank connection and authorising accounts',
};

/** A renewal has a job only if a bank was asked; otherwise the accounts are retrieved a single time. */
export const startRenewal = (jobId: string | undefined): Connection =>
  jobId === undefined ? { step: 'retrieving once', ...starting, retriesLeft: 0 } : startConnection(jobId);

export const verificationWords: Words = {
  heading: 'Verification',
  message: 'For security reasons we need you to verify your account by logging in.',
};

const verification = (cause: FailureCause): Connection => ({
  step: 'verification',
  cause,
  ...verificationWords,
  retriesLeft: 0,
});

/** Advances the connection; events of other steps change nothing. */
export function advance(connection: Connection, event: ConnectionEvent): Connection {
  const { step, retriesLeft } = connection;
  if (event.type === 'failed')
    return step === 'connected' || step === 'verification' ? connection : verification(event.cause);

  if (event.type === 'job found' && step === 'searching') {
    return {
      step: 'checking',
      jobId: event.jobId,
      heading: 'Confirming Connection',
      message: 'FOUND! Finalising connection with your bank',
      retriesLeft,
    };
  }
  if (event.type === 'job pending' && step === 'checking') {
    const words = {
      heading: 'Checking!',
      message: 'Receiving communications from your bank. This might take a little while.',
    };
    if (retriesLeft === 0) return { step: 'retrieving once', ...words, retriesLeft };
    return { step: 'waiting', jobId: connection.jobId, ...words, retriesLeft };
  }
  if (event.type === 'waited' && step === 'waiting') {
    return { ...connection, step: 'checking', retriesLeft: retriesLeft - 1 };
  }
  if (event.type === 'job done' && step === 'checking') {
    return {
      step: 'retrieving',
      jobId: connection.jobId,
      heading: 'Finding Accounts!',
      message: 'Successfully connected - we are now retrieving your accounts.',
      retriesLeft,
    };
  }
  const isRetrieved = event.type === 'accounts retrieved' && (step === 'retrieving' || step === 'retrieving once');
  if (isRetrieved || (event.type === 'connected before' && step === 'searching')) {
    return {
      step: 'connected',
      heading: 'Success!',
      message: 'Accounts have successfully been retrieved.',
      retriesLeft,
    };
  }
  return connection;
}
