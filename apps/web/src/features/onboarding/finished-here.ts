import { useNavigationType } from 'react-router';

/** This tab's history position at the end of onboarding. */
let finishedAt: number | undefined;

/** Returns the router's history position, 0 for the first screen. */
function position(): number {
  const index: unknown = history.state?.idx;
  return typeof index === 'number' ? index : 0;
}

export const markFinished = (): void => {
  finishedAt = position();
};

/** True where Back leads into an onboarding that is over. */
export const useIsBackAtFinished = (): boolean =>
  useNavigationType() === 'POP' && finishedAt !== undefined && position() < finishedAt;
