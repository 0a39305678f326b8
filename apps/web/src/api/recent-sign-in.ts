import { makeQuestion } from '#ui/question.ts';
import { ApiError } from './api-error.ts';
import { identityErrorCode } from './identity-error.ts';

/** Asks for the password. */
export const passwordQuestion = makeQuestion();

/** Returns true where the person declined to give the password. */
export const isGivenUp = (error: unknown): boolean =>
  (error instanceof ApiError && error.code === 'requires-recent-login') ||
  identityErrorCode(error) === 'auth/requires-recent-login';
