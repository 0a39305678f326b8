import { createHash } from 'node:crypto';
import { isoDate } from '@sparechange/domain';
import { canSkip } from '@sparechange/domain/skipped-debit';
import type { Pool } from '#db/connect.ts';
import { withSessionLock } from '#db/session-lock.ts';
import { findRequestText } from '#features/direct-debit-request/request-text.ts';
import type { Clock } from '#ports/clock.ts';
import type { Mailer } from '#ports/mailer.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import type { Sites } from '#tenants/tenant-site.ts';
import type { DebitLinks } from './debit-links.ts';
import { handOver } from './deliver-email.ts';
import type { EmailContext } from './email.ts';
import { brandOf } from './email.ts';
import { emailContentOf } from './emails.ts';
import { MailFacts } from './mail-facts.ts';
import {
  countMailsBeforeBank,
  type DueMail,
  listDueMails,
  markForLater,
  markGivenUp,
  markSent,
  noteBounce,
} from './outbox.ts';
import { renderEmail } from './render-email.ts';

export interface MailDeps {
  db: Pool;
  clock: Clock;
  mailer: Mailer;
  tenants: Tenants;
  sites: Sites;
  /** Days to renew an expired consent before bank data deletion. */
  graceDays: number;
  debitLinks: DebitLinks;
  /** The name our debits carry on statements. */
  statementName: string;
  /** The signed token of a renewal link (features/consents/renewal-links.ts). */
  renewalToken: (purpose: 'extend' | 'expired' | 'confirm', email: string, until: Date) => string;
}

export interface SentMails {
  sent: number;
  givenUp: number;
  /** Still to be sent, after a pause. */
  waiting: number;
}

/** Time for which a permanently bounced address gets no mail. */
const bouncedForMs = 30 * 86_400_000;
const pageSize = 50;
/** Most mails to an unconfirmed address before linking a bank. */
const maxToStrangers = 3;
/** Time for which the welcome mail's link confirms the address. */
const confirmForMs = 60 * 86_400_000;

/**
 * Sends what is due in the outbox, each mail once. One program sends at a time. A mail server that does not answer
 * ends the round: the rest waits with it.
 */
export async function sendMails(deps: MailDeps): Promise<SentMails> {
  const report: SentMails = { sent: 0, givenUp: 0, waiting: 0 };
  await withSessionLock(deps.db, 'send mails', async () => {
    while (true) {
      const now = deps.clock.now();
      const due = await listDueMails(deps.db, now, new Date(now.getTime() - bouncedForMs), pageSize);
      for (const mail of due) {
        const became = await sendOne(deps, mail, now);
        report[became] += 1;
        if (became === 'waiting') return;
      }
      if (due.length < pageSize) return;
    }
  });
  return report;
}

async function sendOne(deps: MailDeps, mail: DueMail, now: Date): Promise<keyof SentMails> {
  const { db, mailer } = deps;
  if (mail.isBouncing) {
    await markGivenUp(db, mail, now, 'the address bounced');
    return 'givenUp';
  }
  if (!mail.isProven && (await countMailsBeforeBank(db, mail.supporterId)) >= maxToStrangers) {
    await markGivenUp(db, mail, now, 'the address was never confirmed');
    return 'givenUp';
  }
  const facts = MailFacts.parse(mail.facts);
  if (isPast(facts, now)) {
    await markGivenUp(db, mail, now, 'what it tells of has begun');
    return 'givenUp';
  }
  const directDebitText = await directDebitTextOf(db, facts);
  if (directDebitText === undefined) {
    await markGivenUp(db, mail, now, 'the text of the direct debit request is not kept');
    return 'givenUp';
  }
  const handed = await handOver(
    mailer,
    { id: idOf(mail), to: mail.email, ...composed(deps, mail, directDebitText, now) },
    mail.attempts,
  );
  if (handed.became === 'waiting') {
    await markForLater(db, mail, new Date(now.getTime() + handed.pauseMs), handed.because);
    return 'waiting';
  }
  if (handed.became !== 'sent') {
    if (handed.became === 'refused') await noteBounce(db, mail, now, handed.because);
    await markGivenUp(db, mail, now, handed.because);
    return 'givenUp';
  }
  await markSent(db, mail, now);
  return 'sent';
}

/** Returns whether the announced run has begun, outdating the mail. */
const isPast = (facts: MailFacts, now: Date): boolean =>
  facts.kind === 'debit_notice' && !canSkip(isoDate(facts.run), now);

/** Returns the wording that a mail is a copy of; empty for other mails, undefined where it is missing. */
async function directDebitTextOf(db: Pool, facts: MailFacts): Promise<string | undefined> {
  if (facts.kind !== 'direct_debit_request') return '';
  return (await findRequestText(db, facts.textHash))?.content;
}

/** Returns the Message-ID, equal for every attempt, so that an email sent again after a crash is known. */
const idOf = ({ supporterId, key }: DueMail): string =>
  createHash('sha256').update(`${supporterId} ${key}`).digest('hex').slice(0, 40);

function composed(
  { tenants, sites, graceDays, renewalToken, debitLinks, statementName }: MailDeps,
  { supporterId, facts, email, firstName, tenantKey, isProven }: DueMail,
  directDebitText: string,
  now: Date,
) {
  const tenant = tenants.byKey(tenantKey) ?? tenants.byKey('default');
  if (!tenant) throw new Error('There is no default tenant.');
  const site = sites.siteOf(tenant.key);
  const page = (path: string) => new URL(path, site);
  const context: EmailContext = {
    page,
    graceDays,
    statementName,
    directDebitText,
    skip: (run) => page(`/skip-debit/${debitLinks.skipToken({ supporterId, run })}`),
    confirmEmail: () => {
      if (isProven) return undefined;
      const link = page(`/confirm-email/${encodeURIComponent(email)}`);
      link.searchParams.set('token', renewalToken('confirm', email, new Date(now.getTime() + confirmForMs)));
      return link;
    },
    stopDebitNotices: () => page(`/debit-mails/${debitLinks.stopToken(supporterId)}`),
    renewal: (purpose, until) => {
      const link = page(`/${purpose}-consent/${encodeURIComponent(email)}`);
      link.searchParams.set('token', renewalToken(purpose, email, until));
      return link;
    },
  };
  return renderEmail(
    emailContentOf(MailFacts.parse(facts), context),
    brandOf(tenant, site),
    isProven ? firstName : undefined,
  );
}
