import { useNavigationType } from 'react-router';

/** Where in this tab's history the onboarding ended, since the page was loaded. */
let finishedAt: number | undefined;

/** The router keeps the position there, 0 for the first screen of the visit. */
function position(): number {
  const index: unknown = history.state?.idx;
  return typeof index === 'number' ? index : 0;
}

export const markFinished = (): void => {
  finishedAt = position();
};

/** True where the Back button leads to a step of an onboarding that is over. */
export const useIsBackAtFinished = (): boolean =>
  useNavigationType() === 'POP' && finishedAt !== undefined && position() < finishedAt;
