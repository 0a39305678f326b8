import { endpointRoutes } from './outgoing-webhooks/console-routes.ts';
import { keyRoutes } from './programs/console-routes.ts';
import { programRoutes } from './programs/routes.ts';
import { adviceLinkRoutes } from './remittance-advice/link-routes.ts';
import { statementRoutes } from './remittances/statement-routes.ts';
import { remittanceTasks } from './remittances/tasks.ts';
import { treasurerRoutes } from './remittances/treasurer-routes.ts';
import { savingsRoutes } from './savings/routes.ts';
import { savingsTasks } from './savings/tasks.ts';

/** Money that goes out. */
export const disbursements = {
  routes: [savingsRoutes],
  publicRoutes: [adviceLinkRoutes],
  programRoutes: [programRoutes],
  consoleRoutes: [treasurerRoutes, statementRoutes, keyRoutes, endpointRoutes],
  tasks: { ...remittanceTasks, ...savingsTasks },
};
