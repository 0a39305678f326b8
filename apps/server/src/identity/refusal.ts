/**
 * A refusal in the words of the Identity Toolkit API. `message` is what the Firebase SDK turns into its error code
 * (`EMAIL_EXISTS` becomes auth/email-already-in-use); text after ` : ` is for people.
 */
export class Refused extends Error {
  override name = 'Refused';
  readonly httpStatus: number;
  /** Google's canonical status, except on refusals about an account. */
  readonly status: string | undefined;
  constructor(message: string, httpStatus = 400, status?: string) {
    super(message);
    this.httpStatus = httpStatus;
    this.status = status;
  }
}

export const invalidArgument = (message: string): Refused => new Refused(message, 400, 'INVALID_ARGUMENT');

export const tooManyAttempts = (): Refused =>
  new Refused(
    'TOO_MANY_ATTEMPTS_TRY_LATER : Access to this account has been temporarily disabled due to many failed login attempts. You can immediately restore it by resetting your password or you can try again later.',
  );

export type TokenProblem = 'invalid' | 'expired' | 'revoked' | 'disabled' | 'deleted';

const sentences: Record<TokenProblem, string> = {
  invalid: 'The ID token is not one of ours.',
  expired: 'The ID token has expired.',
  revoked: 'The session of the ID token was ended.',
  disabled: 'The user of the ID token is disabled.',
  deleted: 'The user of the ID token does not exist.',
};

/** A token that does not prove the caller, and why. */
export class InvalidIdToken extends Error {
  override name = 'InvalidIdToken';
  readonly problem: TokenProblem;
  constructor(problem: TokenProblem, options?: ErrorOptions) {
    super(sentences[problem], options);
    this.problem = problem;
  }
}
