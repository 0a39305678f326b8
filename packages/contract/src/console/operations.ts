import * as approvals from './approvals.ts';
import * as audit from './audit.ts';
import * as bankDetails from './bank-details.ts';
import * as bankFiles from './bank-files.ts';
import * as closedDays from './closed-days.ts';
import * as clubRequests from './club-requests.ts';
import * as clubStatement from './club-statement.ts';
import * as clubs from './clubs.ts';
import * as developers from './developers.ts';
import * as holderReviews from './holder-reviews.ts';
import * as jobs from './jobs.ts';
import * as ledger from './ledger.ts';
import * as mail from './mail.ts';
import type { ConsoleOperation } from './operation.ts';
import * as payments from './payments.ts';
import * as people from './people.ts';
import * as reconciliation from './reconciliation.ts';
import * as runs from './runs.ts';
import * as session from './session.ts';
import * as statementImports from './statement-imports.ts';
import * as supporterActs from './supporter-acts.ts';
import * as supporters from './supporters.ts';
import * as tenants from './tenants.ts';
import * as today from './today.ts';
import * as treasurer from './treasurer.ts';

const declarations = [
  approvals,
  audit,
  bankDetails,
  bankFiles,
  closedDays,
  clubRequests,
  clubStatement,
  clubs,
  developers,
  holderReviews,
  jobs,
  ledger,
  mail,
  payments,
  people,
  reconciliation,
  runs,
  session,
  statementImports,
  supporterActs,
  supporters,
  tenants,
  today,
  treasurer,
];

const isOperation = (value: unknown): value is ConsoleOperation =>
  typeof value === 'object' && value !== null && 'allowed' in value && 'path' in value;

/** Every call of the console; its stream is none (`live.ts`). */
export const consoleOperations: readonly ConsoleOperation[] = declarations.flatMap((file) =>
  Object.values<unknown>(file).filter(isOperation),
);
