import { comesAgain, type DueTask } from '@sparechange/domain/timetable';
import { type PollDeps, pollOutcomes } from './poll-outcomes.ts';

export const outcomeTasks = {
  settle: (deps: PollDeps, due: DueTask) => pollOutcomes(deps, { isShort: comesAgain(due) }),
};
