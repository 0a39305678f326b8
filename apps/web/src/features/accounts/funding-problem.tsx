import type { ReactNode } from 'react';
import { ApiError } from '#api/api-error.ts';
import { isGivenUp } from '#api/recent-sign-in.ts';
import { FormProblem, Help } from '#ui/notice.tsx';

const otherName =
  'Your bank gives another name for this account, so we look at it first and email you. You can choose another account meanwhile.';

interface FundingProblemProps {
  words: string;
  error: unknown;
  /** Stands in the same place while nothing is wrong. */
  children?: ReactNode;
}

/** Says that an account was refused for debits, and why. */
export function FundingProblem({ words, error, children }: FundingProblemProps) {
  const hasFailed = error !== null && !isGivenUp(error);
  return (
    <>
      <FormProblem words={words} isShown={hasFailed}>
        {!hasFailed && children}
      </FormProblem>
      {error instanceof ApiError && error.code === 'holder-differs' && (
        <div role="status">
          <Help>{otherName}</Help>
        </div>
      )}
    </>
  );
}
