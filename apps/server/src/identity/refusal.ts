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
