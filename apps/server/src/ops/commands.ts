import { explainedReads } from './explained-reads.ts';
import type { OpsCommand } from './ops-command.ts';
import { supporterWords } from './supporter-words.ts';

interface ListedCommand {
  /** Its name and arguments, as help shows them. */
  usage: string;
  about: string;
  /** True where only its subcommands can be called. */
  isGroup?: true;
  /** Loads the function that adds its options, its subcommands and what they do. */
  load: () => Promise<(command: OpsCommand) => void>;
}

const explained = Object.entries(explainedReads).map(([name, about]) => `${name} (${about})`);

/** Every command, in the order of the help. */
export const commands: readonly ListedCommand[] = [
  {
    usage: 'status',
    about: 'what is configured, how many supporters, the next debit day',
    load: async () => (await import('./status.ts')).statusCommand,
  },
  {
    usage: 'sync',
    about: 'fetch transactions from the bank and record round-ups',
    load: async () => (await import('./runs.ts')).syncCommand,
  },
  {
    usage: 'consent-run',
    about: 'check every consent: expiries, reminders, and bank data due for deletion',
    load: async () => (await import('./runs.ts')).consentRunCommand,
  },
  {
    usage: 'debit-run',
    about: "plan and submit a day's debits; safe to run again",
    load: async () => (await import('./runs.ts')).debitRunCommand,
  },
  {
    usage: 'settle',
    about: 'collect outcomes: kept notifications first, then what a poll finds',
    load: async () => (await import('./runs.ts')).settleCommand,
  },
  {
    usage: 'savings-run',
    about: "deposit what was set aside up to a month's end; safe to run again",
    load: async () => (await import('./runs.ts')).savingsRunCommand,
  },
  {
    usage: 'remit',
    about: 'pay each club what cleared up to the day before; safe to run again',
    load: async () => (await import('./runs.ts')).remitCommand,
  },
  {
    usage: 'payment',
    about: 'one debit, donation, deposit, remittance or refund, by its reference on a bank statement or its id',
    isGroup: true,
    load: async () => (await import('./payment.ts')).paymentCommands,
  },
  {
    usage: 'jobs',
    about: 'failed jobs that are not retried automatically',
    isGroup: true,
    load: async () => (await import('./jobs.ts')).jobCommands,
  },
  {
    usage: 'mails',
    about: 'emails that could not be sent',
    isGroup: true,
    load: async () => (await import('./mails.ts')).mailCommands,
  },
  {
    usage: 'reconcile',
    about: "compare the provider's debits and payouts of a year with ours; exit 1 if they differ",
    load: async () => (await import('./reconcile.ts')).reconcileCommand,
  },
  {
    usage: 'statement',
    about: 'what a club received in a month, supporter by supporter, without bank data',
    load: async () => (await import('./statement.ts')).statementCommand,
  },
  {
    usage: 'receipts <email>',
    about: "a supporter's receipts of months and statements of financial years that are over",
    load: async () => (await import('./statement.ts')).receiptsCommand,
  },
  {
    usage: 'direct-entry',
    about: 'bank files, if payments are made with them',
    isGroup: true,
    load: async () => (await import('./direct-entry.ts')).directEntryCommands,
  },
  {
    usage: 'register-mandates',
    about: 'register active mandates with the provider named by PAYMENTS, after it has changed',
    load: async () => (await import('./mandates.ts')).registerMandatesCommand,
  },
  {
    usage: 'direct-debit-text <hash>',
    about: 'the wording of a direct debit request as it was agreed to; supporter timeline shows its hash',
    load: async () => (await import('./mandates.ts')).directDebitTextCommand,
  },
  {
    usage: 'holder-reviews',
    about: "funding accounts in a name that is not the supporter's",
    isGroup: true,
    load: async () => (await import('./mandates.ts')).holderReviewCommands,
  },
  {
    usage: 'approvals',
    about: 'requests that need a second person',
    isGroup: true,
    load: async () => (await import('./approvals.ts')).approvalCommands,
  },
  {
    usage: 'audit',
    about: 'check every invariant of the books; exit 1 on a violation',
    load: async () => (await import('./audit.ts')).auditCommand,
  },
  {
    usage: 'ledger',
    about: "the platform's own accounts: where money is held and who owns it",
    isGroup: true,
    load: async () => (await import('./ledger.ts')).ledgerCommands,
  },
  {
    usage: 'auditors-pack <file>',
    about:
      'the books of a financial year in one zip: journal, statements, payouts, receipts, and how to recompute each sum',
    load: async () => (await import('./auditors-pack.ts')).auditorsPackCommand,
  },
  {
    usage: 'bank-statement',
    about: "the trust account's statements: import, list, match",
    isGroup: true,
    load: async () => (await import('./bank-statement.ts')).bankStatementCommands,
  },
  {
    usage: 'buckets',
    about: 'buckets of supporters, and the nodes of a cluster that hold them',
    isGroup: true,
    load: async () => (await import('./buckets.ts')).bucketCommands,
  },
  {
    usage: 'closed-days',
    about: 'extra days on which banks do not settle, in addition to the settlement holidays',
    isGroup: true,
    load: async () => (await import('./closed-days.ts')).closedDaysCommands,
  },
  {
    usage: 'advance',
    about: "sandbox only: move the product's and the sandbox's clock day by day, with each day's whole timetable",
    load: async () => (await import('./advance.ts')).advanceCommand,
  },
  {
    usage: 'sandbox',
    about: 'act as the outside world, in development',
    isGroup: true,
    load: async () => (await import('./sandbox.ts')).sandboxCommands,
  },
  {
    usage: 'clubs',
    about: 'the clubs and causes supporters can choose',
    isGroup: true,
    load: async () => (await import('./clubs.ts')).clubCommands,
  },
  {
    usage: 'keys',
    about: 'keys of programs that call the API',
    isGroup: true,
    load: async () => (await import('./keys.ts')).keyCommands,
  },
  {
    usage: 'webhooks',
    about: 'endpoints that receive events',
    isGroup: true,
    load: async () => (await import('./webhooks.ts')).webhookCommands,
  },
  {
    usage: 'tenants',
    about: 'the brands',
    isGroup: true,
    load: async () => (await import('./tenants.ts')).tenantCommands,
  },
  {
    usage: 'supporter',
    about: `one supporter, ${supporterWords}`,
    isGroup: true,
    load: async () => (await import('./supporter.ts')).supporterCommands,
  },
  {
    usage: 'console',
    about: 'people who sign in to the console',
    isGroup: true,
    load: async () => (await import('./console.ts')).consoleCommands,
  },
  {
    usage: 'identity',
    about: 'the embedded identity service',
    isGroup: true,
    load: async () => (await import('./identity.ts')).identityCommands,
  },
  {
    usage: 're-encrypt',
    about: 'encrypt and hash every account number with the first data key, after a new one was put first in DATA_KEY',
    load: async () => (await import('./re-encrypt.ts')).reEncryptCommand,
  },
  {
    usage: 'explain <read>',
    about: `show how PostgreSQL plans the statements of a frequent or long read: ${explained.join(', ')}`,
    load: async () => (await import('./explain.ts')).explainCommand,
  },
];
