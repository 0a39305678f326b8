import { type RetentionDeps, runRetention } from './delete-outdated.ts';

export const retentionTasks = {
  retention: (deps: RetentionDeps) => runRetention(deps),
};
