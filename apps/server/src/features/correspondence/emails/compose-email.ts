import { signInMailKinds } from '@sparechange/contract/console';
import { type IsoDate, isoDate, sydneyDay } from '@sparechange/domain';
import { upcomingDebitDay } from '@sparechange/domain/banking-calendar';
import { canSkip } from '@sparechange/domain/skipped-debit';
import type { Db, Pool } from '#db/connect.ts';
import { readTogether } from '#db/read-together.ts';
import { isPaused, isUsableFunding } from '#features/core/debiting/conditions.ts';
import type { Composer } from '#features/core/outbox/attempt-mail.ts';
import { isSignInMail } from '#features/core/outbox/outbox-repository.ts';
import { findRequestText } from '#features/correspondence/direct-debit-request/request-text.ts';
import type { DebitLinks } from '#secrets/signed-links.ts';
import { isOver } from '#tenants/campaign-end.ts';
import { type Tenants, tenantOrDefault } from '#tenants/load-tenants.ts';
import type { Sites } from '#tenants/tenant-site.ts';
import { type TakenBack, takenBackWords } from './debit-emails.ts';
import type { EmailContext } from './email.ts';
import { brandOf } from './email.ts';
import { emailContentOf } from './emails.ts';
import { MailFacts } from './mail-facts.ts';
import { isCounted, maxToUnproven } from './queue-email.ts';
import { renderEmail } from './render-email.ts';

export interface EmailDeps {
  db: Pool;
  tenants: Tenants;
  sites: Sites;
  /** Days to renew an expired consent before bank data deletion. */
  graceDays: number;
  debitLinks: DebitLinks;
  /** Name on statements for our debits. */
  statementName: string;
  /** Signed token of a renewal link (features/supporters/consents/renewal-links.ts). */
  renewalToken: (purpose: 'extend' | 'expired' | 'confirm', email: string, until: Date) => string;
  /** Day from which a supporter gives nothing more, if any. */
  campaignEnd: (supporter: { tenantKey: string; clubId: string }) => Promise<IsoDate | null>;
  /** Returns whether a run would still debit a supporter who wants to be emailed before it. */
  isNoticeDue: (supporterId: string, run: IsoDate) => Promise<boolean>;
}

/** Time for which the welcome email's link confirms the address. */
const confirmForMs = 60 * 86_400_000;

/**
 * Composes supporters' emails, in the look of their tenant and to their present address. The addressees of those composed
 * together are read with one statement.
 */
export function emailComposer(deps: EmailDeps): Composer {
  const findAddressee = readTogether(nameOfMoment, findAddressees);
  return async (mail, now) => {
    if (isSignInMail(mail.facts)) return { outdated: 'its link works once and is not kept' };
    const facts = MailFacts.parse(mail.facts);
    const db = deps.db.of(mail.supporterId ?? '');
    const addressee = await findAddressee({ db, now }, mail.id);
    if (!addressee) throw new Error('The mail is to no supporter.');
    const outdated = outdatedBecause(facts, addressee) ?? (await outdatedNotice(deps, facts, addressee, now));
    if (outdated) return { outdated };
    const endsOn = mayEndBefore.has(facts.kind) ? await deps.campaignEnd(addressee) : null;
    if (asksToGoOn.has(facts.kind) && isOver(endsOn, sydneyDay(now))) return { outdated: 'the campaign has ended' };
    const directDebitText =
      facts.kind === 'direct_debit_request' ? (await findRequestText(db, facts.textHash))?.content : '';
    if (directDebitText === undefined) return { outdated: 'the text of the direct debit request is not kept' };
    const hasCampaignEnded = aboutLaterDebits.has(facts.kind) && isOver(endsOn, upcomingDebitDay(now));
    if (hasCampaignEnded && facts.kind === 'round_ups_resumed') return { outdated: 'the campaign has ended' };
    return { to: addressee.email, ...render(deps, addressee, facts, { directDebitText, hasCampaignEnded }, now) };
  };
}

interface Addressee {
  supporterId: string;
  email: string;
  firstName: string;
  tenantKey: string;
  clubId: string;
  /** Null for a club that is no longer known. */
  club: { id: string; name: string; slug: string } | null;
  /** True once somebody has confirmed this address. */
  isProven: boolean;
  isClosed: boolean;
  hasOnboarded: boolean;
  consentActive: boolean;
  consentExpiresAt: Date | null;
  connectionEndsAt: Date | null;
  connectionEndedOn: IsoDate | null;
  isPaused: boolean;
  /** True while the bank does not show a chosen account. */
  lacksAccount: boolean;
  /** True while there is an account to debit. */
  hasUsableFunding: boolean;
  /** True while a savings account is linked that no bank has refused. */
  takesDeposits: boolean;
  wantsSummary: boolean;
  /** Emails sent or about to be, while they are counted; zero otherwise. */
  countedMails: number;
  /** Debits reversed for want of money that no email has named yet. */
  takenBack: TakenBack[];
}

/** Emails about an ongoing account; not sent if it has been closed since. */
const aboutAnOpenAccount: ReadonlySet<MailFacts['kind']> = new Set([
  'welcome',
  'onboarding_reminder',
  'consent_reminder',
  'bank_reminder',
  'bank_ended',
  'consent_expired',
  'debit_returned',
  'debit_reversed',
  'mandate_cancelled',
  'account_missing',
  'paused_after_two_returns',
  'round_ups_resumed',
  'paused_by_you',
  'data_offered',
  'holder_decided',
  'debit_notice',
  'debit_summary',
]);

/** Emails that mention future debits. */
const aboutLaterDebits: ReadonlySet<MailFacts['kind']> = new Set([
  'debit_returned',
  'debit_reversed',
  'donation_refused',
  'mandate_cancelled',
  'account_missing',
  'paused_after_two_returns',
  'round_ups_resumed',
]);

/** Reminders to continue giving: not sent once there is nothing to give to, even if queued before. */
const asksToGoOn: ReadonlySet<MailFacts['kind']> = new Set([
  'onboarding_reminder',
  'consent_reminder',
  'bank_reminder',
  'bank_ended',
]);

/** Emails that differ, or are not sent, after the campaign. */
const mayEndBefore: ReadonlySet<MailFacts['kind']> = new Set([...aboutLaterDebits, ...asksToGoOn]);

/**
 * Emails about money: the first queued of those sent after a debit was reversed for want of money mentions that too.
 */
const aboutMoney: readonly MailFacts['kind'][] = [
  'debit_notice',
  'debit_summary',
  'debit_returned',
  'debit_reversed',
  'debit_refunded',
  'mandate_cancelled',
  'paused_after_two_returns',
  'donation_received',
  'savings_deposited',
];

/** Days after which a reversed debit is no longer mentioned; emails are stored for longer. */
const daysOfTakenBack = 30;

/** Returns the reason to send nothing any more: an event since an email was queued. */
function outdatedBecause(facts: MailFacts, addressee: Addressee): string | undefined {
  const { isClosed, hasOnboarded, consentActive, consentExpiresAt, wantsSummary, countedMails } = addressee;
  const { connectionEndsAt, connectionEndedOn: bankEndedOn, isPaused, lacksAccount } = addressee;
  const { hasUsableFunding, takesDeposits } = addressee;
  const bankEndsOn = connectionEndsAt && bankEndedOn === null ? sydneyDay(connectionEndsAt) : null;
  if (countedMails >= maxToUnproven) return 'the address was never confirmed';
  if (isClosed && aboutAnOpenAccount.has(facts.kind)) return 'the account was closed';
  switch (facts.kind) {
    case 'onboarding_reminder':
      return hasOnboarded ? 'the onboarding was finished' : undefined;
    case 'consent_reminder':
      return consentActive && consentExpiresAt && sydneyDay(consentExpiresAt) === facts.expiresOn
        ? undefined
        : 'the consent was renewed or has ended';
    case 'bank_reminder':
      if (!consentActive) return 'the consent has ended';
      return bankEndsOn === facts.endsOn ? undefined : 'the bank was confirmed or has ended';
    case 'bank_ended':
      if (!consentActive) return 'the consent has ended';
      return bankEndedOn === facts.endedOn ? undefined : 'the bank was confirmed';
    case 'consent_expired':
    case 'consent_withdrawn':
      return consentActive ? 'the consent was given again' : undefined;
    case 'account_missing':
      return lacksAccount ? undefined : 'the bank shows every chosen account again';
    case 'paused_by_you':
    case 'paused_after_two_returns':
      return isPaused ? undefined : 'the round-ups are on again';
    case 'round_ups_resumed':
      return isPaused ? 'the round-ups were paused again' : undefined;
    case 'mandate_cancelled':
      return hasUsableFunding ? 'an account to debit was chosen' : undefined;
    case 'savings_account_refused':
      return takesDeposits ? 'another savings account was linked' : undefined;
    case 'debit_summary':
      return wantsSummary ? undefined : 'no weekly mail is wanted';
    default:
      return undefined;
  }
}

async function outdatedNotice(
  { isNoticeDue }: EmailDeps,
  facts: MailFacts,
  { supporterId }: Addressee,
  now: Date,
): Promise<string | undefined> {
  if (facts.kind !== 'debit_notice') return undefined;
  const run = isoDate(facts.run);
  if (!canSkip(run, now)) return 'the debit run has begun';
  return (await isNoticeDue(supporterId, run)) ? undefined : 'nothing is debited then, or no mail is wanted';
}

interface Moment {
  db: Db;
  now: Date;
}

const nameOfMoment = ({ db, now }: Moment): string => `${db.scope.path} ${now.getTime()}`;

/**
 * Finds the addressees of emails, by the emails' ids. Counts those queued before it as sent, since they may be in flight. A reversed
 * debit is left to the first queued.
 */
async function findAddressees({ db, now }: Moment, mailIds: number[]): Promise<Map<number, Addressee>> {
  const addressees = await db<(Addressee & { mailId: number })[]>`
    select mail.id as "mailId", supporter_id as "supporterId", email, first_name as "firstName", tenant_key as "tenantKey", club_id as "clubId",
      (select json_build_object('id', id, 'name', name, 'slug', slug) from clubs where clubs.id = supporters.club_id) as club,
      email_proven_at is not null as "isProven", closed_on is not null as "isClosed",
      onboarded_on is not null as "hasOnboarded",
      consent_active as "consentActive", consent_expires_at as "consentExpiresAt",
      connection_ends_at as "connectionEndsAt", connection_ended_on as "connectionEndedOn",
      ${isPaused(db, 'mail')} as "isPaused",
      exists (select from accounts where accounts.supporter_id = mail.supporter_id and missing_since is not null
        and (round_ups_on or is_funding)) as "lacksAccount",
      exists (select from accounts where accounts.supporter_id = mail.supporter_id and ${isUsableFunding(db)}) as "hasUsableFunding",
      exists (select from savings_accounts savings where savings.supporter_id = mail.supporter_id
        and refused_at is null) as "takesDeposits",
      debit_notices_enabled and debit_notice_frequency = 'weekly' as "wantsSummary",
      case when ${isCounted(db)} then (
        select count(*)::int from mails other where other.supporter_id = mail.supporter_id
          and other.facts ->> 'kind' <> all(${[...signInMailKinds]}) and (other.sent_at is not null or (other.given_up_at is null and other.id < mail.id))) else 0 end as "countedMails",
      (select coalesce(json_agg(json_build_object('kind', kind, 'date', run_date, 'amountCents', amount_cents) order by run_date), '[]')
        from debits taken where taken.supporter_id = mail.supporter_id and taken.state = 'reversed' and taken.return_code = 6
          and mail.facts ->> 'kind' = any(${aboutMoney}) and outcome_at > ${new Date(now.getTime() - daysOfTakenBack * 86_400_000)}
          and not exists (select from mails other where other.supporter_id = mail.supporter_id and other.id < mail.id
            and other.facts ->> 'kind' = any(${aboutMoney}) and (other.sent_at >= outcome_at
              or (other.sent_at is null and other.given_up_at is null)))) as "takenBack"
    from mails mail join supporters using (supporter_id) where mail.id = any(${mailIds}::bigint[])`;
  return new Map(addressees.map((addressee) => [addressee.mailId, addressee]));
}

function render(
  { tenants, sites, graceDays, renewalToken, debitLinks, statementName }: EmailDeps,
  { supporterId, email, firstName, tenantKey, club, isProven, isClosed, takenBack }: Addressee,
  facts: MailFacts,
  found: Pick<EmailContext, 'directDebitText' | 'hasCampaignEnded'>,
  now: Date,
) {
  const tenant = tenantOrDefault(tenants, tenantKey);
  const site = sites.siteOf(tenant.key);
  const page = (path: string) => new URL(path, site);
  const context: EmailContext = {
    today: sydneyDay(now),
    isClosed,
    page,
    graceDays,
    statementName,
    ...found,
    skip: (run) => page(`/skip-debit/${debitLinks.skipToken({ supporterId, run })}`),
    confirmEmail: () => {
      if (isProven) return undefined;
      const link = page(`/confirm-email/${encodeURIComponent(email)}`);
      link.searchParams.set('token', renewalToken('confirm', email, new Date(now.getTime() + confirmForMs)));
      return link;
    },
    debitNotices: () => page(`/debit-mails/${debitLinks.stopToken(supporterId)}`),
    renewal: (purpose, until) => {
      const link = page(`/${purpose}-consent/${encodeURIComponent(email)}`);
      link.searchParams.set('token', renewalToken(purpose, email, until));
      return link;
    },
  };
  const content = emailContentOf(facts, context);
  const paragraphs = [...content.paragraphs, ...takenBack.map(takenBackWords)];
  return renderEmail(
    { ...content, paragraphs },
    brandOf(tenant, site, club ?? undefined),
    isProven ? firstName : undefined,
  );
}
