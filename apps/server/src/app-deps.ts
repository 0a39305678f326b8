import type { Cents } from '@sparechange/domain';
import type { AuditKeys } from '#audit/audit-keys.ts';
import type { CheckpointFile } from '#audit/checkpoint-file.ts';
import type { Pool } from '#db/connect.ts';
import type { DocumentPrinter } from '#documents/document-printer.ts';
import type { ApprovedActs } from '#features/console/operators/acts.ts';
import type { ActDeps } from '#features/console/support/act-routes.ts';
import type { Composer } from '#features/core/outbox/attempt-mail.ts';
import type { RenewalLinks } from '#features/supporters/consents/renewal-links.ts';
import type { MintHandOffToken } from '#features/supporters/handoff/routes.ts';
import type { Sessions } from '#features/supporters/identity/sessions.ts';
import type { RemoveUser } from '#features/supporters/offboarding/close-supporter.ts';
import type { WatchTimes } from '#http/database-watch.ts';
import type { RetriedJobs } from '#jobs/retry-dead-letters.ts';
import type { BankFiles } from '#ports/bank-files.ts';
import type { BankLink } from '#ports/bank-link.ts';
import type { BusinessRegister } from '#ports/business-register.ts';
import type { Clock } from '#ports/clock.ts';
import type { DirectDebit } from '#ports/direct-debit.ts';
import type { Enqueue } from '#ports/enqueue.ts';
import type { Notifiers } from '#ports/notifier.ts';
import type { SingleSignOn } from '#ports/single-sign-on.ts';
import type { WebhookReceivers } from '#ports/webhook-receiver.ts';
import type { DossierKeys } from '#secrets/dossier-keys.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import type { DebitLinks, IdLink } from '#secrets/signed-links.ts';
import type { Needs } from '#telemetry/dependency-health.ts';
import type { ProductMetrics } from '#telemetry/product-metrics.ts';
import type { GivenPictures } from '#tenants/given-pictures.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import type { Sites } from '#tenants/tenant-site.ts';
import type { VerifyIdToken } from './caller.ts';

export interface AppDeps {
  db: Pool;
  clock: Clock;
  bankLink: BankLink;
  directDebit: DirectDebit;
  notifiers: Notifiers;
  /** Absent where payments do not go by bank files. */
  bankFiles?: BankFiles | undefined;
  encryption: FieldEncryption;
  auditKeys: AuditKeys;
  dossierKeys: DossierKeys;
  checkpointFile: CheckpointFile;
  tenants: Tenants;
  /** Folder of logos and pictures. */
  tenantsFolder: string;
  verifyIdToken: VerifyIdToken;
  enqueue: Enqueue;
  productUrl: string;
  /** The name our debits carry on statements. */
  statementName: string;
  debitCostCents: Cents;
  /** The product's own tenant, whose letterhead and name stand on documents. */
  mainTenant: string;
  mailFrom: string;
  /** Returns the health of every dependency except the database. */
  needs?: () => Promise<Needs>;
  /** Returns why calls belong to another server: this one does not have its tenants and clubs yet, or is ending. */
  whyNotReady?: () => 'starting' | 'stopping' | undefined;
  sites: Sites;
  printer: DocumentPrinter;
  renewalLinks: RenewalLinks;
  debitLinks: DebitLinks;
  adviceLinks: IdLink;
  bankDetailLinks: IdLink;
  clubRequestLinks: IdLink;
  businessRegister?: BusinessRegister | undefined;
  givenPictures: GivenPictures;
  operatorLinks: IdLink;
  acts: ApprovedActs;
  singleSignOn?: SingleSignOn | undefined;
  /** Queues a failed job again, or all of them. */
  retryFailedJobs(id?: string): Promise<RetriedJobs & { left: number }>;
  webhookReceivers: WebhookReceivers;
  /** The console's address: on its own host, or on the product's where all is on one machine. */
  consoleUrl: URL;
  mintHandOffToken?: MintHandOffToken | undefined;
  removeUser: RemoveUser;
  sessions: Sessions;
  /** Marks an address as verified; absent with a Firebase project. */
  verifyEmail?: ((email: string) => Promise<void>) | undefined;
  mailReset?: ActDeps['mailReset'];
  identityService?: ActDeps['identityService'];
  signIns?: ActDeps['signIns'];
  /** Composes an email as it is sent, for the console to show. */
  composeMail: Composer;
  metrics?: ProductMetrics;
  /** The tenant key in a host name, known or not. */
  tenantOfHost?: (host: string) => string;
  edge?: EdgeSettings;
}

/** Settings of the edge's protection; the defaults are for development. */
export interface EdgeSettings {
  /** Makes browsers use https only. */
  hsts?: boolean;
  /** Multiplies every rate limit; 0 turns them off. */
  rateLimitFactor?: number;
  watchTimes?: Partial<WatchTimes>;
  /** Longest time that a call of the console waits for work, which then continues in the background. */
  patienceMs?: number;
  /** Asks the database over a connection of its own; absent, a late answer means that it is gone. */
  databaseAnswers?: () => Promise<boolean>;
}
