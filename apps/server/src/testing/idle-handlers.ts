import type { JobHandlers } from '#jobs/queues.ts';

const nothing = async () => {};

/** Handlers that do nothing, for tests of one queue. */
export const idleHandlers = {
  timetable: nothing,
  doWork: nothing,
  assistDebitRun: nothing,
  submitDonations: nothing,
  handleNotifications: nothing,
  sendMails: nothing,
  deliverEvents: async () => false,
  watch: nothing,
} satisfies JobHandlers;
