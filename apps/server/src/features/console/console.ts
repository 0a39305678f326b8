import { todayRoutes } from './monitoring/today-routes.ts';
import { approvalRoutes } from './operators/approval-routes.ts';
import { auditLogRoutes } from './operators/audit-log-routes.ts';
import { operatorRoutes } from './operators/routes.ts';
import { supportActRoutes } from './support/act-routes.ts';
import { mailRoutes } from './support/mail-routes.ts';
import { supporterRoutes } from './support/supporter-routes.ts';

/** People who operate the product. */
export const operation = {
  consoleRoutes: [
    operatorRoutes,
    approvalRoutes,
    auditLogRoutes,
    supporterRoutes,
    supportActRoutes,
    mailRoutes,
    todayRoutes,
  ],
};
