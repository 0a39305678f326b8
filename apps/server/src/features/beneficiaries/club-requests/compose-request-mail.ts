import { z } from 'zod';
import type { Db } from '#db/connect.ts';
import { type Brands, homeOf } from '#features/beneficiaries/clubs/club-pages.ts';
import { findClub } from '#features/beneficiaries/clubs/club-repository.ts';
import type { Composer } from '#features/core/outbox/attempt-mail.ts';
import type { Brand, EmailContent } from '#features/correspondence/emails/email.ts';
import { renderEmail } from '#features/correspondence/emails/render-email.ts';
import type { IdLink } from '#secrets/signed-links.ts';
import { type ClubRequest, findRequest } from './request-repository.ts';

const Facts = z.object({
  kind: z.literal('club_request'),
  requestId: z.uuid(),
  step: z.enum(['confirm', 'approved', 'refused']),
});

export const isRequestMail = (facts: unknown): boolean => Facts.safeParse(facts).success;

interface RequestMailDeps extends Brands {
  db: Db;
  clubRequestLinks: IdLink;
  brand: Brand;
}

/**
 * Asks the contact to confirm. It contains none of the requester's text, as it may go to somebody who asked for
 * nothing.
 */
const confirmation = (url: URL): EmailContent => ({
  subject: 'Please confirm that your club asks to join',
  preview: 'The link works for a week.',
  paragraphs: [
    'Someone asked on our website for a club to join us and gave your address as its contact.',
    'Confirm it with this link, and we look at the request. The link works for a week.',
  ],
  action: { label: 'Confirm the request', url },
  note: 'If you did not ask for it, ignore this email: without your confirmation the request is deleted.',
});

const approval = (club: string, url: URL): EmailContent => ({
  subject: `${club} can be supported`,
  preview: 'Its page is open.',
  paragraphs: [
    `${club} has joined, and its page is open: share it with your supporters.`,
    'Next we need the account that the club is paid into. Gifts until then are kept for it. Reply to this email with it, and never send its number to anyone else who asks.',
  ],
  action: { label: 'Open its page', url },
});

const refusal = ({ name, reason }: ClubRequest): EmailContent => ({
  subject: `Your request for ${name}`,
  preview: 'It was not approved.',
  paragraphs: [`We looked at your request for ${name} to join and could not approve it.`, ...(reason ? [reason] : [])],
  note: 'If something about the club has changed, you are welcome to ask again.',
});

/** Composes the emails to the contact of a club that asks to join; those of a request that is over are not sent. */
export function requestComposer(deps: RequestMailDeps): Composer {
  const { db, clubRequestLinks, brand } = deps;
  return async ({ facts }) => {
    const { requestId, step } = Facts.parse(facts);
    const request = await findRequest(db, requestId);
    const isOver = step === 'confirm' && request?.confirmedAt;
    if (!request || isOver) return { outdated: 'the request is confirmed or deleted' };
    if (step === 'confirm') {
      const url = new URL(`/join/${clubRequestLinks.token(requestId)}`, brand.site);
      return { to: request.email, ...renderEmail(confirmation(url), brand) };
    }
    const club = request.clubId === null ? undefined : await findClub(db, request.clubId);
    const content = club ? approval(club.name, homeOf(deps, club).address) : refusal(request);
    return { to: request.email, ...renderEmail(content, brand, request.contactName) };
  };
}
