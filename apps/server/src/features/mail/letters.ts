import { consentLetter } from './consent-letters.ts';
import { debitLetter } from './debit-letters.ts';
import type { Letter } from './letter.ts';
import type { Links } from './links.ts';
import type { MailFacts } from './mail-facts.ts';
import { welcomeLetter } from './welcome-letter.ts';

/** The words of a mail. */
export function letterOf(facts: MailFacts, links: Links): Letter {
  switch (facts.kind) {
    case 'welcome':
      return welcomeLetter(facts, links);
    case 'consent reminder':
    case 'consent expired':
    case 'consent withdrawn':
      return consentLetter(facts, links);
    default:
      return debitLetter(facts, links);
  }
}
