import { isoDate } from '@sparechange/domain';
import { canSkip } from '@sparechange/domain/skipped-debit';
import type { Db, Pool } from '#db/connect.ts';
import { findRequestText } from '#features/direct-debit-request/request-text.ts';
import type { Composer } from '#features/outbox/send-mails.ts';
import { type Tenants, tenantOrDefault } from '#tenants/load-tenants.ts';
import type { Sites } from '#tenants/tenant-site.ts';
import type { DebitLinks } from './debit-links.ts';
import type { EmailContext } from './email.ts';
import { brandOf } from './email.ts';
import { emailContentOf } from './emails.ts';
import { MailFacts } from './mail-facts.ts';
import { renderEmail } from './render-email.ts';

export interface EmailDeps {
  db: Pool;
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

/** Most mails to an unconfirmed address before linking a bank. */
const maxToStrangers = 3;
/** Time for which the welcome mail's link confirms the address. */
const confirmForMs = 60 * 86_400_000;

/** Composes supporters' emails, in the look of their tenant and to the address they have now. */
export const emailComposer =
  (deps: EmailDeps): Composer =>
  async (mail, now) => {
    const facts = MailFacts.parse(mail.facts);
    const addressee = await getAddressee(deps.db, mail.id);
    if (!addressee.isProven && addressee.mailsBeforeBank >= maxToStrangers)
      return { outdated: 'the address was never confirmed' };
    if (facts.kind === 'debit_notice' && !canSkip(isoDate(facts.run), now))
      return { outdated: 'what it tells of has begun' };
    const directDebitText =
      facts.kind === 'direct_debit_request' ? (await findRequestText(deps.db, facts.textHash))?.content : '';
    if (directDebitText === undefined) return { outdated: 'the text of the direct debit request is not kept' };
    return { to: addressee.email, ...render(deps, addressee, facts, directDebitText, now) };
  };

interface Addressee {
  supporterId: string;
  email: string;
  firstName: string;
  tenantKey: string;
  /** True once somebody has confirmed this address. */
  isProven: boolean;
  /** Sent or about to be, before a bank was linked; zero afterwards. */
  mailsBeforeBank: number;
}

/** Returns whom a mail goes to. Counts those queued before it as sent: they may be in flight. */
async function getAddressee(db: Db, mailId: number): Promise<Addressee> {
  const [addressee] = await db<Addressee[]>`
    select supporter_id as "supporterId", email, first_name as "firstName", tenant_key as "tenantKey",
      email_proven_at is not null as "isProven",
      case when consent_active or consent_end is not null or onboarded_on is not null then 0 else (
        select count(*)::int from mails other where other.supporter_id = mail.supporter_id
          and (other.sent_at is not null or (other.given_up_at is null and other.id < mail.id))) end as "mailsBeforeBank"
    from mails mail join supporters using (supporter_id) where mail.id = ${mailId}`;
  if (!addressee) throw new Error('The mail is to no supporter.');
  return addressee;
}

function render(
  { tenants, sites, graceDays, renewalToken, debitLinks, statementName }: EmailDeps,
  { supporterId, email, firstName, tenantKey, isProven }: Addressee,
  facts: MailFacts,
  directDebitText: string,
  now: Date,
) {
  const tenant = tenantOrDefault(tenants, tenantKey);
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
  return renderEmail(emailContentOf(facts, context), brandOf(tenant, site), isProven ? firstName : undefined);
}
