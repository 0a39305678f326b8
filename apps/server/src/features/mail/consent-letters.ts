import { bankDataDueOn, isoDate } from '@sparechange/domain';
import type { Letter } from './letter.ts';
import type { LetterContext } from './letter-context.ts';
import type { FactsOf } from './mail-facts.ts';
import { dayInWords } from './words.ts';

const keepPrivate = 'The link is yours alone: please do not forward this mail.';

type ConsentFacts = FactsOf<'consent reminder'> | FactsOf<'consent expired'> | FactsOf<'consent withdrawn'>;

export function consentLetter(facts: ConsentFacts, context: LetterContext): Letter {
  switch (facts.kind) {
    case 'consent reminder':
      return reminder(facts, context);
    case 'consent expired':
      return expired(facts, context);
    case 'consent withdrawn':
      return withdrawn(facts, context);
  }
}

function reminder({ expiresAt, expiresOn }: FactsOf<'consent reminder'>, context: LetterContext): Letter {
  const day = dayInWords(expiresOn);
  return {
    subject: `Your bank connection ends on ${day}`,
    preview: 'Extend it to keep giving your spare change.',
    paragraphs: [
      `Consumer Data Right guidelines ask us to get your consent every 12 months. Yours ends on ${day}.`,
      'Extending it takes a minute. Your bank may then ask you to confirm the connection too: open the link again to do so.',
      'If you let it end, nothing more is collected or debited. You need not do anything.',
    ],
    action: { label: 'Extend my consent', url: context.renewal('extend', new Date(expiresAt)) },
    note: keepPrivate,
  };
}

function expired({ linkUntil, endedOn }: FactsOf<'consent expired'>, context: LetterContext): Letter {
  return {
    subject: 'Your bank connection has ended',
    preview: 'Your round-ups have stopped. You can start them again.',
    paragraphs: [
      'Your 12 months of consent are over, so we have stopped looking at your purchases, and nothing more is debited.',
      `To keep giving your spare change, consent again. If you do not, we delete the data from your bank on ${dayInWords(bankDataDueOn('expired', isoDate(endedOn), context.graceDays))}; the record of what you gave stays.`,
    ],
    action: { label: 'Consent again', url: context.renewal('expired', new Date(linkUntil)) },
    note: keepPrivate,
  };
}

function withdrawn({ linkUntil }: FactsOf<'consent withdrawn'>, context: LetterContext): Letter {
  return {
    subject: 'You have withdrawn your consent',
    preview: 'Your round-ups have stopped and the data from your bank are being deleted.',
    paragraphs: [
      'As you asked, we no longer look at your purchases, and nothing more is debited.',
      'The data from your bank are deleted as soon as any debit under way is done; the record of what you gave stays. Thank you for all you have given.',
      'If you change your mind, you are welcome back at any time.',
    ],
    action: { label: 'Consent again', url: context.renewal('expired', new Date(linkUntil)) },
    note: keepPrivate,
  };
}
