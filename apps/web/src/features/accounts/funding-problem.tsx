import type { ReactNode } from 'react';
import { ApiError } from '#api/api-error.ts';
import { isGivenUp } from '#api/recent-sign-in.ts';
import { FormProblem, Help } from '#ui/notice.tsx';

const helpByCode: Partial<Record<ApiError['code'], string>> = {
  'holder-differs':
    'Your bank gives another name for this account, so we look at it first and email you. You can choose another account in the meantime.',
  'holder-refused':
    'We looked at this account, and your bank gives another name for it. Please choose an account in your own name.',
};

interface FundingProblemProps {
  words: string;
  error: unknown;
  /** Stands in the same place while nothing is wrong. */
  children?: ReactNode;
}

/** Says that an account was refused for debits, and why. */
export function FundingProblem({ words, error, children }: FundingProblemProps) {
  const hasFailed = error !== null && !isGivenUp(error);
  const help = error instanceof ApiError && helpByCode[error.code];
  return (
    <>
      <FormProblem words={words} isShown={hasFailed}>
        {!hasFailed && children}
      </FormProblem>
      {help && (
        <div role="status">
          <Help>{help}</Help>
        </div>
      )}
    </>
  );
}
