import { fullDay } from '@sparechange/domain';
import { z } from 'zod';
import type { Db } from '#db/connect.ts';
import type { Composer } from '#features/core/outbox/attempt-mail.ts';
import type { Brand } from '#features/correspondence/emails/email.ts';
import { renderEmail } from '#features/correspondence/emails/render-email.ts';
import type { IdLink } from '#secrets/signed-links.ts';
import { findChange } from './change-repository.ts';

const Facts = z.object({ kind: z.literal('bank_details'), changeId: z.uuid(), step: z.enum(['word', 'hold']) });

export const isChangeMail = (facts: unknown): boolean => Facts.safeParse(facts).success;

interface ChangeMailDeps {
  db: Db;
  bankDetailLinks: IdLink;
  brand: Brand;
}

/** Composes the emails to a club's contact about new bank details; those of a change that is over are not sent. */
export function changeComposer({ db, bankDetailLinks, brand }: ChangeMailDeps): Composer {
  return async ({ facts }) => {
    const { changeId, step } = Facts.parse(facts);
    const change = await findChange(db, changeId);
    if (!change?.contactEmail || change.cancelledAt || change.appliedAt)
      return { outdated: 'the change of bank details is over' };
    const { club, endsIn, effectiveOn } = change;
    const url = new URL(`/bank-details/${bankDetailLinks.token(changeId)}`, brand.site);
    const words =
      step === 'word'
        ? {
            subject: `New bank details for ${club}: please confirm`,
            preview: `An account that ends in ${endsIn}.`,
            paragraphs: [
              `We were asked to pay ${club} into another account, which ends in ${endsIn}. Until you confirm it, everything is paid as before.`,
              'If you did not ask for it, stop it with the same link, and tell us.',
            ],
            action: { label: 'Confirm or stop it', url },
          }
        : {
            subject: `New bank details for ${club} from ${effectiveOn ? fullDay(effectiveOn) : 'soon'}`,
            preview: `An account that ends in ${endsIn}.`,
            paragraphs: [
              `From ${effectiveOn ? fullDay(effectiveOn) : 'soon'} we pay ${club} into the account that ends in ${endsIn}. Until then everything is paid as before.`,
              'If that is wrong, stop it before that day.',
            ],
            action: { label: 'Stop it', url },
          };
    return { to: change.contactEmail, ...renderEmail(words, brand) };
  };
}
