import { advanceCommand } from './advance.ts';
import { approvalCommands } from './approvals.ts';
import { auditCommand } from './audit.ts';
import { bankStatementCommands } from './bank-statement.ts';
import { bucketCommands } from './buckets.ts';
import { closedDaysCommands } from './closed-days.ts';
import { clubCommands } from './clubs.ts';
import { consoleCommands } from './console.ts';
import { directEntryCommands } from './direct-entry.ts';
import { explainCommand } from './explain.ts';
import { identityCommands } from './identity.ts';
import { jobCommands } from './jobs.ts';
import { keyCommands } from './keys.ts';
import { ledgerCommands } from './ledger.ts';
import { mailCommands } from './mails.ts';
import { holderReviewCommands, mandateCommands } from './mandates.ts';
import { OpsCommand } from './operate.ts';
import { paymentCommands } from './payment.ts';
import { reEncryptCommand } from './re-encrypt.ts';
import { reconcileCommand } from './reconcile.ts';
import {
  consentRunCommand,
  debitRunCommand,
  remitCommand,
  savingsRunCommand,
  settleCommand,
  syncCommand,
} from './runs.ts';
import { sandboxCommands } from './sandbox.ts';
import { receiptsCommand, statementCommand } from './statement.ts';
import { statusCommand } from './status.ts';
import { supporterCommands } from './supporter.ts';
import { tenantCommands } from './tenants.ts';
import { webhookCommands } from './webhooks.ts';

const commands = [
  statusCommand,
  syncCommand,
  consentRunCommand,
  debitRunCommand,
  settleCommand,
  savingsRunCommand,
  remitCommand,
  paymentCommands,
  jobCommands,
  mailCommands,
  reconcileCommand,
  statementCommand,
  receiptsCommand,
  directEntryCommands,
  mandateCommands,
  holderReviewCommands,
  approvalCommands,
  auditCommand,
  ledgerCommands,
  bankStatementCommands,
  bucketCommands,
  closedDaysCommands,
  advanceCommand,
  sandboxCommands,
  clubCommands,
  keyCommands,
  webhookCommands,
  tenantCommands,
  supporterCommands,
  consoleCommands,
  identityCommands,
  reEncryptCommand,
  explainCommand,
];

/** Returns the operator's command line with every command; a wrong use of it is answered with one line. */
export function operatorProgram(): OpsCommand {
  const program = new OpsCommand('ops')
    .description(
      "The operator's command line of Sparechange: against the running product, or its database when it is stopped. Emails from a command are queued; the running product sends them within seconds.",
    )
    .enablePositionalOptions()
    .configureOutput({ outputError: (text, write) => write(oneLine(text)) });
  for (const add of commands) add(program);
  return program;
}

/** Joins an error and a similar name, if there is one: "error: unknown command 'stats' (Did you mean status?)". */
const oneLine = (text: string): string => `${text.trim().replace(/\s+/g, ' ')} See: npm run -s ops -- --help\n`;
