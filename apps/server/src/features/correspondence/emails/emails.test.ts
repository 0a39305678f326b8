import { cents } from '@sparechange/domain';
import { nothingHeld } from '@sparechange/domain/offboarding';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeHtml } from '#html.ts';
import type { Brand } from './email.ts';
import { emailContentOf } from './emails.ts';
import type { FactsOf, MailFacts } from './mail-facts.ts';
import { inkOn, renderEmail } from './render-email.ts';
import { everyKind, exampleContext } from './testing/example-emails.ts';

const site = new URL('https://rovers.example/');
const brand: Brand = {
  name: 'Riverside <Rovers>',
  tagline: 'Kick & run',
  logo: new URL('/tenants/logos/rovers.svg', site),
  primary: '#12402c',
  accent: '#8fd0ea',
  site,
};
const context = exampleContext(site);

describe.each(Object.values(everyKind).flat())('$kind $remedy $debit', (facts) => {
  const letter = emailContentOf(facts, context);
  const mail = renderEmail(letter, brand, 'Robin');

  test('says the same in plain text as in HTML, with the link in both', () => {
    for (const words of ['Hi Robin,', ...letter.paragraphs]) expect(mail.text).toContain(words);
    const shown = mail.html
      .replace(/<[^>]*>/g, ' ')
      .replace(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code)));
    for (const words of ['Hi Robin,', ...letter.paragraphs, letter.action?.label ?? '']) expect(shown).toContain(words);
    for (const url of [
      letter.action?.url,
      letter.stop?.url,
      ...['', 'support', 'privacy'].map((page) => new URL(page, site)),
    ]) {
      if (!url) continue;
      expect(mail.text).toContain(url.href);
      expect(mail.html).toContain(`href="${url.href}"`);
    }
    for (const words of [letter.note, letter.stop?.label, 'Support', 'Privacy'])
      if (words) for (const form of [mail.text, shown]) expect(form).toContain(words);
  });

  test('names its colours by day, and has others for them in a dark mail client', () => {
    for (const name of ['color-scheme', 'supported-color-schemes'])
      expect(mail.html).toContain(`<meta name="${name}" content="light dark">`);
    for (const [style] of mail.html.matchAll(/<a [^>]*style="[^"]*"/g)) expect(style).toMatch(/[";]color:#[0-9a-f]{6}/);
    const night = /@media \(prefers-color-scheme:dark\)\{(.*?)\}<\/style>/.exec(mail.html)?.[1] ?? '';
    for (const [element, of = ''] of mail.html.matchAll(/<(?:body|table|td|a|span|strong|img)( [^>]*)>/g)) {
      if (!/(?:[";]color|background):#/.test(of)) continue;
      const [, names = ''] = / class="([^"]*)"/.exec(of) ?? [];
      expect(names, element).not.toBe('');
      for (const name of names.split(' ')) expect(night).toContain(`.${name}{`);
    }
  });

  test('sets the amount large that it is about, which a paragraph says as well', () => {
    if (!letter.figure) return;
    expect(mail.html).toContain(`font-weight:700;letter-spacing:-1px">${escapeHtml(letter.figure.amount)}</span>`);
    expect(letter.paragraphs.join(' ')).toContain(letter.figure.amount);
  });

  test('has no dollar sign in its subject and at most six links, each of which spam filters count against it', () => {
    expect(letter.subject).not.toContain('$');
    expect(mail.html.match(/<a /g)?.length).toBeLessThanOrEqual(6);
  });

  test('is calm: one action, no shouting, no account numbers', () => {
    expect(letter.subject.length).toBeLessThan(70);
    expect([letter.subject, letter.preview, ...letter.paragraphs].join()).not.toMatch(
      /!|urgent|immediately|undefined|NaN|XXXX|\d{6}/i,
    );
  });

  test('has an even number of addresses, as filters give a point to an odd one', () => {
    expect(mail.html.match(/"https:\/\//g)?.length).toSatisfy((count: number) => count % 2 === 0);
  });

  test('loads only the logo and runs nothing', () => {
    expect(mail.html.match(/src="[^"]*"/g)).toEqual([`src="${brand.logo.href}"`]);
    expect(mail.html).not.toMatch(/<script|<link|url\(|onload/i);
  });
});

test('a club that is not the brand’s own is named with it by the one picture', () => {
  const letter = emailContentOf({ kind: 'password_changed' }, context);
  const { html } = renderEmail(letter, { ...brand, club: 'Wattle <Creek>' }, 'Robin');
  expect(html.match(/<img /g)).toHaveLength(1);
  expect(html).toContain(`alt="${escapeHtml('Wattle <Creek>, with Riverside <Rovers>')}"`);
});

test('a mailbox shows the preview alone beside the subject, and links name their targets', () => {
  const letter = emailContentOf({ kind: 'password_changed' }, context);
  const { html } = renderEmail(letter, brand, 'Robin');
  const hidden = /<div style="display:none[^>]*>(.*?)<\/div>/.exec(html)?.[1] ?? '';
  expect(hidden.startsWith(letter.preview)).toBe(true);
  expect(hidden.slice(letter.preview.length)).toMatch(/^(&#847;&zwnj;&nbsp;){50,}$/);
  expect(html).toContain(escapeHtml(`Go to ${brand.name}`));
  expect(html).not.toContain(`>${brand.site.host}</a>`);
});

test('a consent reminder leads to the bank, and states the deadline', () => {
  const [facts] = everyKind.consent_reminder;
  const letter = emailContentOf(facts as MailFacts, context);
  expect(letter.subject).toBe('Your bank connection ends on Thursday 25 November 2027');
  expect(letter.action?.url.pathname).toBe('/extend-consent/robin@example.com');
});

test('the pre-debit notice states when, how much and the statement text, skips it, and can be stopped', () => {
  const [facts] = everyKind.debit_notice;
  const letter = emailContentOf(facts as MailFacts, context);
  expect(letter.subject).toBe('Your debit tomorrow');
  expect(letter.paragraphs.join(' ')).toContain('Wednesday 25 November 2026');
  expect(letter.paragraphs.join(' ')).toContain('SPARECHANGE RU4F09A1C');
  expect(letter.action?.url.pathname).toBe('/skip-debit/2026-11-25');
  const mail = renderEmail(letter, brand, 'Robin');
  expect(mail.unsubscribe?.href).toBe('https://rovers.example/debit-mails/token');
  for (const text of [mail.text, mail.html]) expect(text).toContain('https://rovers.example/debit-mails/token');
});

test('a first savings account is not called a change, and a changed one has one day from which it receives', () => {
  const [first, changed] = everyKind.savings_account_changed.map((facts) => emailContentOf(facts, context));
  expect([first?.subject, first?.paragraphs]).toEqual([
    'Your savings account is linked',
    ['A savings account has been linked. Your monthly deposits go there.'],
  ]);
  expect(changed?.subject).toBe('Your savings account was changed');
  expect(changed?.paragraphs.join(' ')).toContain('go there from Friday 27 November 2026: to keep');
});

test.each(['debits_stopped', 'account_closed', 'paused_by_you'] as const)(
  '%s names payments that still complete',
  (kind) => {
    const [facts] = everyKind[kind];
    const words = emailContentOf(facts as MailFacts, context).paragraphs.join(' ');
    for (const amount of ['$3.42', '$12.04', '$0.65']) expect(words).toContain(amount);
  },
);

test('closing states that bank data is deleted, or that payments under way need it until they are done', () => {
  const wordsWith = (changes: Partial<FactsOf<'account_closed'>>) =>
    emailContentOf({ kind: 'account_closed', ...nothingHeld, ...changes }, context).paragraphs.join(' ');
  expect(wordsWith({})).toContain('What came from your bank is deleted. We keep');
  for (const kind of ['debits', 'donations', 'refunds'])
    expect(wordsWith({ [kind]: { count: 1, cents: cents(342) } })).toContain(
      'What came from your bank is deleted as soon as any debit or refund under way is done.',
    );
});

test('the content of names is shown and never becomes markup', () => {
  const name = fc.string({ unit: fc.constantFrom('<', '>', '&', '"', "'", 'a', ' ', '/') });
  fc.assert(
    fc.property(name, name, (club, person) => {
      const letter = emailContentOf({ kind: 'donation_received', amountCents: cents(100), clubName: club }, context);
      const { html } = renderEmail(letter, brand, person);
      const plain = renderEmail(
        emailContentOf({ kind: 'donation_received', amountCents: cents(100), clubName: 'x' }, context),
        brand,
        'x',
      );
      const tags = (text: string) => text.match(/<[^>]*>/g);
      expect(tags(html)).toEqual(tags(plain.html));
    }),
  );
});

test.each([
  ['#000000', '#ffffff'],
  ['#ffffff', '#000000'],
  ['#12402c', '#ffffff'],
  ['#47b3b5', '#000000'],
])('on %s is written in %s', (colour, ink) => expect(inkOn(colour)).toBe(ink));

test('hidden characters of a stored name or club reach no email', () => {
  const facts = { kind: 'welcome', clubName: 'The \u202esrevoR', roundsFrom: '2026-11-01' } as const;
  const mail = renderEmail(emailContentOf(facts, context), brand, 'Ro\u2066bin\u200b');
  expect(mail.text).toContain('Hi Robin,');
  expect([mail.subject, mail.text, mail.html].join('')).not.toMatch(/\p{Cf}/u);
});

test.each(Object.values(everyKind).flat())(
  'once the account is closed, $kind leads to no page behind the sign-in',
  (facts) => {
    const { action, paragraphs } = emailContentOf(facts, { ...context, isClosed: true });
    expect(['/dashboard', '/history', '/linked-accounts']).not.toContain(action?.url.pathname);
    if (facts.kind === 'debit_refunded' || facts.kind === 'donation_refused')
      expect(paragraphs.join()).not.toMatch(/history|another donation/);
  },
);
