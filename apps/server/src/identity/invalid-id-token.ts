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
