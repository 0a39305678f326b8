import { changeComposer, isChangeMail } from '#features/beneficiaries/bank-details/compose-change-mail.ts';
import { contactComposer, isContactMail } from '#features/beneficiaries/bank-details/compose-contact-mail.ts';
import { isRequestMail, requestComposer } from '#features/beneficiaries/club-requests/compose-request-mail.ts';
import { campaignEnd } from '#features/beneficiaries/clubs/campaigns.ts';
import { noticeReader } from '#features/collections/next-debit/queue-debit-notices.ts';
import { isLinkMail, linkComposer } from '#features/console/operators/compose-link-mail.ts';
import { alarmComposer } from '#features/core/alarms/alarms.ts';
import type { Composer } from '#features/core/outbox/attempt-mail.ts';
import type { Recipient } from '#features/core/outbox/outbox-repository.ts';
import { emailComposer } from '#features/correspondence/emails/compose-email.ts';
import { brandOf } from '#features/correspondence/emails/email.ts';
import { adviceComposer } from '#features/disbursements/remittance-advice/compose-advice.ts';
import { tenantOrDefault } from '#tenants/load-tenants.ts';
import type { Runtime } from './compose.ts';
import { adviceDependencies } from './dependencies.ts';

/** Composes the emails of the outbox. */
export function composerOf(runtime: Runtime): Composer {
  const { db, tenants, sites, debitLinks, config } = runtime;
  const { bankDataGraceDays: graceDays, statementName, operatorMail } = config;
  const emails = {
    db,
    tenants,
    sites,
    graceDays,
    debitLinks,
    statementName,
    renewalToken: runtime.renewalLinks.token,
    campaignEnd: (supporter: { tenantKey: string; clubId: string }) => campaignEnd(db, tenants, supporter),
    isNoticeDue: noticeReader(runtime),
  };
  const composeAlarm = alarmComposer(operatorMail);
  const brand = brandOf(tenantOrDefault(tenants, config.mainTenant), sites.siteOf(config.mainTenant));
  const composeLink = linkComposer({ ...runtime, brand });
  const composeAdvice = adviceComposer(adviceDependencies(runtime));
  const composeChange = changeComposer({ ...runtime, brand });
  const composeContact = contactComposer({ ...runtime, brand });
  const composeRequest = requestComposer({ ...runtime, brand });
  const composers: Record<Recipient, Composer> = {
    supporter: emailComposer(emails),
    club: (mail, now) => {
      if (isRequestMail(mail.facts)) return composeRequest(mail, now);
      if (isContactMail(mail.facts)) return composeContact(mail, now);
      return (isChangeMail(mail.facts) ? composeChange : composeAdvice)(mail, now);
    },
    operator: (mail, now) => (isLinkMail(mail.facts) ? composeLink : composeAlarm)(mail, now),
  };
  return (mail, now) => composers[mail.recipient](mail, now);
}
