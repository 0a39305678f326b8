import { closedDayRoutes } from './banking-calendar/console-routes.ts';
import { reconciliationRoutes } from './bookkeeping/console-routes.ts';
import { ledgerRoutes } from './bookkeeping/ledger-routes.ts';
import { bookMetrics } from './bookkeeping/metrics.ts';
import { bookTasks } from './bookkeeping/tasks.ts';
import { dossierRoutes } from './dossiers/console-routes.ts';
import { paymentConsoleRoutes } from './payments/console-routes.ts';
import { paymentMetrics } from './payments/metrics.ts';

/** Closed books, held against the bank. */
export const accounting = {
  consoleRoutes: [reconciliationRoutes, ledgerRoutes, paymentConsoleRoutes, dossierRoutes, closedDayRoutes],
  tasks: bookTasks,
  metrics: [bookMetrics, paymentMetrics],
};
