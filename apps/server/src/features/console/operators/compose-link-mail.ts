import { z } from 'zod';
import type { Db } from '#db/connect.ts';
import type { Composer } from '#features/core/outbox/attempt-mail.ts';
import type { Brand, EmailContent } from '#features/correspondence/emails/email.ts';
import { renderEmail } from '#features/correspondence/emails/render-email.ts';
import type { IdLink } from '#secrets/signed-links.ts';
import { findLink, type LinkPurpose, linkAddress } from './links.ts';
import { findOperator } from './operator-repository.ts';

const Facts = z.object({ kind: z.literal('operator_link'), linkId: z.uuid() });

/** Returns whether an email to operators carries a link rather than an alarm. */
export const isLinkMail = (facts: unknown): boolean => Facts.safeParse(facts).success;

const contents: Record<LinkPurpose, Omit<EmailContent, 'action'> & { label: string }> = {
  invitation: {
    subject: 'You are invited to the console',
    preview: 'The link works once, within seven days.',
    paragraphs: [
      'You are invited to the console, where payments, clubs and supporters are looked after.',
      'Open it with this link and choose how to sign in from now on: a passkey, or a password and a code from your phone. The link works once, within seven days.',
    ],
    label: 'Open the console',
    note: 'If you were not expecting an invitation, you can ignore this email.',
  },
  recovery: {
    subject: 'Choose a new way to sign in',
    preview: 'The link works once, within one day.',
    paragraphs: [
      'An owner has removed your passkeys and password so that you can set up a new sign-in.',
      'Open the console with this link and choose how to sign in from now on. It works once, within one day.',
    ],
    label: 'Open the console',
    note: 'If you did not ask an owner for it, please tell them.',
  },
  sign_in: {
    subject: 'Your sign-in link',
    preview: 'The link works once, within 15 minutes.',
    paragraphs: ['Open the console with this link. It works once, within 15 minutes.'],
    label: 'Sign in',
    note: 'If you did not ask for it, nothing has changed and you can ignore this email.',
  },
};

export interface LinkMailDeps {
  db: Db;
  operatorLinks: IdLink;
  consoleUrl: URL;
  brand: Brand;
}

/** Composes the email of a link; one that was opened or has expired is no longer sent. */
export function linkComposer({ db, operatorLinks, consoleUrl, brand }: LinkMailDeps): Composer {
  return async ({ facts }) => {
    const link = await findLink(db, Facts.parse(facts).linkId);
    const operator = link && (await findOperator(db, link.operatorId));
    if (!link || !operator || operator.status === 'removed') return { outdated: 'the link is used up or has expired' };
    const { label, ...words } = contents[link.purpose];
    const content = { ...words, action: { label, url: linkAddress(consoleUrl, operatorLinks, link.id) } };
    return { to: operator.email, ...renderEmail(content, brand, operator.name.split(' ')[0]) };
  };
}
