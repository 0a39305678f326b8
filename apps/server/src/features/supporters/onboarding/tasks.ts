import { type ReminderDeps, remindUnfinished } from './remind-unfinished.ts';

export const onboardingTasks = {
  'onboarding-reminder': (deps: ReminderDeps) => remindUnfinished(deps),
};
