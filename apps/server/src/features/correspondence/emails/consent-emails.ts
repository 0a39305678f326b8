import { addDays, bankDataDeletableFrom, isoDate, sydneyTime } from '@sparechange/domain';
import type { EmailContent, EmailContext } from './email.ts';
import { dayInWords } from './email.ts';
import type { FactsOf } from './mail-facts.ts';

export function welcomeEmail({ clubName, roundsFrom }: FactsOf<'welcome'>, context: EmailContext): EmailContent {
  const confirm = context.confirmEmail();
  return {
    subject: `Thank you for supporting ${clubName}`,
    preview: "You're all set. Here is how your spare change works.",
    paragraphs: [
      `You're all set. The spare change of your everyday purchases now goes to ${clubName}. Thank you.`,
      `We round up purchases from ${dayInWords(roundsFrom)}. The total is debited on Mondays, Wednesdays and Fridays, or on the next business day after a public holiday.`,
      'You can set a weekly limit, change how much is rounded up, pause, or stop at any time.',
    ],
    action: confirm
      ? { label: 'Confirm your email', url: confirm }
      : { label: 'Go to your dashboard', url: context.page('/dashboard') },
  };
}

export function onboardingReminder({ clubName }: FactsOf<'onboarding_reminder'>, context: EmailContext): EmailContent {
  return {
    subject: 'Finish setting up your round-ups, when it suits you',
    preview: 'Pick up where you left off.',
    paragraphs: [
      `You registered to give your spare change to ${clubName}, and a few steps are left. We've kept your place.`,
      'Nothing is rounded up or debited before you have finished.',
      "Changed your mind? Ignore this email; we won't remind you again.",
    ],
    action: { label: 'Finish setting up', url: context.page('/finished') },
    note: 'If you did not register, someone mistyped their address, and you can ignore this email.',
  };
}

const keepPrivate = 'The link is for you only: please do not forward this email.';

type ConsentFacts =
  | FactsOf<'consent_reminder'>
  | FactsOf<'bank_reminder'>
  | FactsOf<'bank_ended'>
  | FactsOf<'consent_expired'>
  | FactsOf<'consent_withdrawn'>;

export function consentEmail(facts: ConsentFacts, context: EmailContext): EmailContent {
  switch (facts.kind) {
    case 'consent_reminder':
      return reminder(facts, context);
    case 'bank_reminder':
      return bankReminder(facts, context);
    case 'bank_ended':
      return bankEnded(facts, context);
    case 'consent_expired':
      return expired(facts, context);
    case 'consent_withdrawn':
      return withdrawn(facts, context);
  }
}

function reminder({ expiresAt, expiresOn }: FactsOf<'consent_reminder'>, context: EmailContext): EmailContent {
  const day = dayInWords(expiresOn);
  return {
    subject: `Your bank connection ends on ${day}`,
    preview: 'Extend it to keep giving your spare change.',
    paragraphs: [
      `Consumer Data Right guidelines ask us to get your consent every 12 months. Yours ends on ${day}.`,
      'Extending it takes a minute. Your bank then asks you to confirm that it may keep sharing: the same link takes you there.',
      'If you let it end, nothing more is collected or debited, and there is nothing for you to do.',
    ],
    action: { label: 'Extend my consent', url: context.renewal('extend', new Date(expiresAt)) },
    note: keepPrivate,
  };
}

/** Days after the bank has stopped in which the emailed link leads to it; after that one signs in first. */
const linkDays = 90;
const bankLinkUntil = (day: string): Date => sydneyTime(addDays(isoDate(day), linkDays), '00:00');

function bankReminder({ endsOn }: FactsOf<'bank_reminder'>, context: EmailContext): EmailContent {
  const day = dayInWords(endsOn);
  return {
    subject: `Your bank stops sharing on ${day}`,
    preview: 'One step is left: let your bank keep sharing.',
    paragraphs: [
      `Your consent to us is still valid, but the permission that your bank keeps for it ends on ${day}. Confirm at your bank before then that it may keep sharing, and you won't miss a round-up.`,
      'If you let it end, nothing more is rounded up, and there is nothing for you to do.',
    ],
    action: { label: 'Confirm at my bank', url: context.renewal('extend', bankLinkUntil(endsOn)) },
    note: keepPrivate,
  };
}

function bankEnded({ endedOn }: FactsOf<'bank_ended'>, context: EmailContext): EmailContent {
  return {
    subject: 'Your bank has stopped sharing',
    preview: 'Nothing is rounded up until you let your bank share again.',
    paragraphs: [
      'Your bank no longer shares your purchases with us, so nothing is rounded up. What was counted before is debited as usual.',
      'Confirm at your bank that it may share again, and purchases in between are rounded up, once. If you would rather not, there is nothing for you to do.',
    ],
    action: { label: 'Confirm at my bank', url: context.renewal('extend', bankLinkUntil(endedOn)) },
    note: keepPrivate,
  };
}

function expired({ linkUntil, endedOn }: FactsOf<'consent_expired'>, context: EmailContext): EmailContent {
  return {
    subject: 'Your bank connection has ended',
    preview: 'Your round-ups have stopped. You can start them again.',
    paragraphs: [
      'Your 12 months of consent are over, so we have stopped looking at your purchases, and nothing more is debited.',
      `To keep giving your spare change, consent again. If you do not, we delete your bank data on ${dayInWords(bankDataDeletableFrom('expired', isoDate(endedOn), context.graceDays))}; the record of what you gave stays.`,
    ],
    action: { label: 'Consent again', url: context.renewal('expired', new Date(linkUntil)) },
    note: keepPrivate,
  };
}

function withdrawn({ linkUntil }: FactsOf<'consent_withdrawn'>, context: EmailContext): EmailContent {
  return {
    subject: 'You have withdrawn your consent',
    preview: 'Your round-ups have stopped and your bank data is being deleted.',
    paragraphs: [
      'As you asked, we no longer look at your purchases, and nothing more is debited.',
      'Your bank data is deleted as soon as any debit or refund under way is done; the record of what you gave stays. Thank you for all you have given.',
      'If you change your mind, you are welcome back at any time.',
    ],
    action: { label: 'Consent again', url: context.renewal('expired', new Date(linkUntil)) },
    note: keepPrivate,
  };
}
