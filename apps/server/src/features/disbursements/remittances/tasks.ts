import type { IsoDate } from '@sparechange/domain';
import type { DueTask } from '@sparechange/domain/timetable';
import type { PayoutDeps } from '#features/core/payouts/payout-kind.ts';
import { remitToClubs } from './remit-to-clubs.ts';

export const remittanceTasks = {
  remit: (deps: PayoutDeps, _due: DueTask, day: IsoDate) => remitToClubs(deps, day),
};
