import { Command } from 'commander';
import { advanceCommand } from './advance.ts';
import { auditCommand } from './audit.ts';
import { bankStatementCommands } from './bank-statement.ts';
import { closedDaysCommands } from './closed-days.ts';
import { clubCommands } from './clubs.ts';
import { debitRunCommand } from './debit-run.ts';
import { directEntryCommands } from './direct-entry.ts';
import { holderReviewCommands } from './holder-reviews.ts';
import { identityCommands } from './identity.ts';
import { jobCommands } from './jobs.ts';
import { ledgerCommands } from './ledger.ts';
import { mandateCommands } from './mandates.ts';
import { paymentCommands } from './payment.ts';
import { reEncryptCommand } from './re-encrypt.ts';
import { receiptsCommand } from './receipts.ts';
import { reconcileCommand } from './reconcile.ts';
import { remitCommand } from './remit.ts';
import { sandboxCommands } from './sandbox.ts';
import { savingsRunCommand } from './savings-run.ts';
import { statementCommand } from './statement.ts';
import { statusCommand } from './status.ts';
import { supporterCommands } from './supporter.ts';
import { supporterDataCommands } from './supporter-data.ts';
import { consentRunCommand, settleCommand, syncCommand } from './sync.ts';
import { tenantCommands } from './tenants.ts';
import { timelineCommand } from './timeline.ts';

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
  reconcileCommand,
  statementCommand,
  receiptsCommand,
  directEntryCommands,
  mandateCommands,
  holderReviewCommands,
  auditCommand,
  ledgerCommands,
  bankStatementCommands,
  closedDaysCommands,
  advanceCommand,
  sandboxCommands,
  clubCommands,
  tenantCommands,
  supporterCommands,
  supporterDataCommands,
  timelineCommand,
  identityCommands,
  reEncryptCommand,
];

/** Returns the operator's command line with every command; a wrong use of it is answered with one line. */
export function operatorProgram(): Command {
  const program = new Command('ops')
    .description(
      "The operator's command line of Sparechange: against the running product, or its database when it is stopped.",
    )
    .enablePositionalOptions()
    .configureOutput({ outputError: (text, write) => write(oneLine(text)) });
  for (const add of commands) add(program);
  return program;
}

/** Joins what is wrong and a similar name, if there is one: "error: unknown command 'stats' (Did you mean status?)". */
const oneLine = (text: string): string => `${text.trim().replace(/\s+/g, ' ')} See: npm run -s ops -- --help\n`;
