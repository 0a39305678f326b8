import { bankFileRoutes } from './bank-files/console-routes.ts';
import { runRoutes } from './debits/console-routes.ts';
import { debitMetrics } from './debits/metrics.ts';
import { debitTasks } from './debits/tasks.ts';
import { donationRoutes } from './donations/routes.ts';
import { historyRoutes } from './history/routes.ts';
import { debitLinkRoutes } from './next-debit/link-routes.ts';
import { nextDebitRoutes } from './next-debit/routes.ts';
import { noticeTasks } from './next-debit/tasks.ts';
import { outcomeTasks } from './outcomes/tasks.ts';
import { tenantRoutes } from './tenants/console-routes.ts';
import { notificationMetrics } from './webhooks/metrics.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/** Money that comes in. */
export const collections = {
  routes: [donationRoutes, historyRoutes, nextDebitRoutes],
  publicRoutes: [debitLinkRoutes, webhookRoutes],
  consoleRoutes: [runRoutes, tenantRoutes, bankFileRoutes],
  tasks: { ...debitTasks, ...noticeTasks, ...outcomeTasks },
  metrics: [debitMetrics, notificationMetrics],
};
