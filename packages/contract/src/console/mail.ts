import { z } from 'zod';
import { day } from '../day.ts';
import { text } from '../text.ts';
import { consoleOperation } from './operation.ts';
import { Paged, pageOverServers } from './paging.ts';

const allowed = ['owner', 'finance', 'support'] as const;

/** `outdated`: never sent, because what it was about had changed. */
export const MailStatus = z.enum(['waiting', 'sent', 'given_up', 'bounced', 'outdated']);
export type MailStatus = z.infer<typeof MailStatus>;

/** Emails with a link that works once, which the embedded identity service sends itself. */
export const signInMailKinds = ['password_reset', 'verify_email', 'verify_and_change_email', 'recover_email'] as const;
export type SignInMailKind = (typeof signInMailKinds)[number];

/** An email's kind, by its code in the outbox. */
export type MailKind =
  | 'welcome'
  | 'onboarding_reminder'
  | 'consent_reminder'
  | 'bank_reminder'
  | 'bank_ended'
  | 'consent_expired'
  | 'consent_withdrawn'
  | 'direct_debit_request'
  | 'debit_notice'
  | 'debit_summary'
  | 'debit_returned'
  | 'debit_reversed'
  | 'debit_refunded'
  | 'donation_received'
  | 'donation_refused'
  | 'mandate_cancelled'
  | 'account_missing'
  | 'funding_account_changed'
  | 'holder_decided'
  | 'paused_by_you'
  | 'paused_after_two_returns'
  | 'round_ups_resumed'
  | 'savings_deposited'
  | 'savings_account_changed'
  | 'savings_account_refused'
  | 'debits_stopped'
  | 'bank_data_deleted'
  | 'data_downloaded'
  | 'data_offered'
  | 'account_closed'
  | 'password_changed'
  | SignInMailKind
  | 'remittance_advice'
  | 'bank_details'
  | 'club_contact'
  | 'club_request'
  | 'operator_link'
  | 'alarm';

export const OutboxMail = z.object({
  id: z.string(),
  recipient: z.enum(['supporter', 'club', 'operator']),
  supporterId: z.uuid().nullable(),
  address: z.string().nullable(),
  about: z.string().describe('its kind, of whichever version queued it'),
  status: MailStatus,
  queuedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable().describe('when it was sent, or it was decided not to send it any more'),
  attempts: z.number(),
  failure: z.string().nullable(),
});
export type OutboxMail = z.infer<typeof OutboxMail>;

/** Lists emails, the newest first: those of one supporter, or of the last 30 days unless a day is given. */
export const listMails = consoleOperation({
  name: 'listMails',
  method: 'GET',
  path: '/mails',
  allowed,
  readsOnly: true,
  follows: [
    'bank_detail_changes',
    'club_requests',
    'clubs',
    'mail_bounces',
    'mails',
    'operator_links',
    'operators',
    'remittance_advices',
    'supporters',
  ],
  input: Paged.extend({
    after: text(60)
      .regex(/^\d{1,13}\.\d{1,3}\.\d{1,15}$/)
      .optional(),
    status: MailStatus.optional(),
    about: text(60).optional(),
    address: text(254).trim().toLowerCase().optional(),
    from: day.optional(),
    to: day.optional(),
    supporterId: z.uuid().optional(),
  }),
  output: pageOverServers(OutboxMail),
});

const mailId = text(20).regex(/^(\d{1,3}\.)?\d{1,15}$/);

/** An email as it would be sent now, without the addresses of its links. */
export const previewMail = consoleOperation({
  name: 'previewMail',
  method: 'GET',
  path: '/mails/one',
  allowed,
  readsOnly: true,
  follows: 'nothing',
  input: z.object({ mailId }),
  example: { mailId: '1' },
  output: z.object({
    subject: z.string().nullable(),
    text: z.string().nullable(),
    whyNone: z.string().nullable().describe('what keeps it from being sent any more, or yet'),
  }),
});

/** Sends a given-up email after all, or a copy of a sent one; at most one copy a day. */
export const sendMailAgain = consoleOperation({
  name: 'sendMailAgain',
  method: 'POST',
  path: '/mails/again',
  allowed: ['owner', 'support'],
  audited: ['mailId'],
  words: 'Sent a mail again',
  input: z.object({ mailId }),
  example: { mailId: '1' },
  output: z.object({}),
});

export const retrieveMailState = consoleOperation({
  name: 'retrieveMailState',
  method: 'GET',
  path: '/mails/state',
  allowed,
  readsOnly: true,
  follows: ['mails', 'mail_bounces', 'mail_outages'],
  input: z.object({}),
  output: z.object({
    outage: z
      .object({ since: z.iso.datetime(), askAgainAt: z.iso.datetime(), failure: z.string() })
      .nullable()
      .describe('the mail server takes none of our mails'),
    waiting: z.number().describe('counted up to 10,000'),
    undelivered: z.number().describe('given up after an attempt in the last 30 days, counted up to 10,000'),
    bounced: z.number().describe('addresses that refused one in the last 30 days'),
    listsSignInMails: z.boolean().describe('false where a Firebase project mails links to reset a password'),
  }),
});
