import { addDays, type IsoDate } from '@sparechange/domain';
import type { DueTask } from '@sparechange/domain/timetable';
import { queueDebitNotices } from './queue-debit-notices.ts';

type NoticeDeps = Parameters<typeof queueDebitNotices>[0];

export const noticeTasks = {
  'debit-notice': (deps: NoticeDeps, _due: DueTask, day: IsoDate) => queueDebitNotices(deps, addDays(day, 1)),
};
