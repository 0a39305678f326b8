import { ApiError } from '#api/api-error.ts';
import { registrationStart } from '#features/tenants/registration-start.ts';
import { getStart } from '#tenant/current.ts';
import { TextLink } from '#ui/text-link.tsx';

/** Returns true for the 404 answered to a user without a supporter. */
export const isUnfinished = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** Leads an identity user without a supporter to finish registering. */
export function FinishRegistering() {
  const { path, state } = registrationStart(getStart());
  return (
    <>
      Your registration is not finished.{' '}
      <TextLink to={path} state={state}>
        Register again
      </TextLink>{' '}
      with the same password.
    </>
  );
}
