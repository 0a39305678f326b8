import { fullDay, sydneyDay } from '@sparechange/domain';
import { z } from 'zod';
import type { Db } from '#db/connect.ts';
import { findFormerContact } from '#features/beneficiaries/clubs/contact-changes.ts';
import type { Composer } from '#features/core/outbox/attempt-mail.ts';
import type { Brand } from '#features/correspondence/emails/email.ts';
import { renderEmail } from '#features/correspondence/emails/render-email.ts';

const Facts = z.object({ kind: z.literal('club_contact'), clubId: z.uuid() });

export const isContactMail = (facts: unknown): boolean => Facts.safeParse(facts).success;

/** Composes the email to a club's former contact, who is still asked about new bank details for a while. */
export function contactComposer({ db, brand }: { db: Db; brand: Brand }): Composer {
  return async ({ facts }) => {
    const former = await findFormerContact(db, Facts.parse(facts).clubId);
    if (!former?.email) return { outdated: 'the club had no other contact' };
    const { club, email, until } = former;
    const words = {
      subject: `${club} has another contact now`,
      preview: 'Its mails go to another address.',
      paragraphs: [
        `We were told that ${club} has a new contact. What we send the club goes to their address from now on.`,
        `If new bank details are asked for until ${fullDay(sydneyDay(until))}, we still ask you to confirm them. If you did not expect this, please tell us.`,
      ],
      action: { label: 'Go to our site', url: brand.site },
    };
    return { to: email, ...renderEmail(words, brand) };
  };
}
