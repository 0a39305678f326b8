import { formatCents, fullDay, isoDate, total } from '@sparechange/domain';
import { z } from 'zod';
import type { Pool } from '#db/connect.ts';
import type { DocumentPrinter } from '#documents/document-printer.ts';
import { minPublishedSupporters, publishedSupporters } from '#features/beneficiaries/clubs/club-figures.ts';
import type { Composer } from '#features/core/outbox/attempt-mail.ts';
import { brandOf, type EmailContent } from '#features/correspondence/emails/email.ts';
import { renderEmail } from '#features/correspondence/emails/render-email.ts';
import type { Attachment } from '#ports/mailer.ts';
import type { IdLink } from '#secrets/signed-links.ts';
import { type Tenants, tenantOrDefault } from '#tenants/load-tenants.ts';
import type { Sites } from '#tenants/tenant-site.ts';
import { adviceCsv, adviceDocument, adviceFileName } from './advice-documents.ts';
import { type Advice, AdviceFacts, listAdvices } from './advice-repository.ts';

export interface AdviceDeps {
  db: Pool;
  tenants: Tenants;
  sites: Sites;
  printer: DocumentPrinter;
  /** The product's own tenant, whose letterhead is used. */
  mainTenant: string;
  adviceLinks: IdLink;
}

export interface AdviceFiles {
  name: string;
  csv: string;
  pdf: Uint8Array;
}

/** Returns an advice's two files, identical each time. */
export async function filesOf(
  deps: Pick<AdviceDeps, 'printer' | 'tenants' | 'mainTenant'>,
  advice: Advice,
): Promise<AdviceFiles> {
  const facts = AdviceFacts.parse(advice.facts);
  const brand = await deps.printer.brandOf(tenantOrDefault(deps.tenants, deps.mainTenant));
  const pdf = await deps.printer.print(adviceDocument(facts, brand, advice.madeAt));
  return { name: adviceFileName(facts), csv: adviceCsv([facts]), pdf };
}

const kind = z.literal('remittance_advice');
const MailFacts = z.union([
  z.object({ kind, remittanceIds: z.array(z.uuid()).min(1) }),
  z.object({ kind, remittanceId: z.uuid() }).transform(({ remittanceId }) => ({ remittanceIds: [remittanceId] })),
]);

/** Composes a club's email of one or several advices, with their files. */
export const adviceComposer =
  (deps: AdviceDeps): Composer =>
  async (mail) => {
    const advices = await listAdvices(deps.db, MailFacts.parse(mail.facts).remittanceIds);
    const to = advices.at(-1)?.email;
    if (!to) return { outdated: 'the club has no contact any more' };
    const tenant = tenantOrDefault(deps.tenants, deps.mainTenant);
    const site = deps.sites.siteOf(tenant.key);
    const content = contentOf(
      advices.map((advice) => AdviceFacts.parse(advice.facts)),
      (clubId) => new URL(`/advice-mails/${deps.adviceLinks.token(clubId)}`, site),
    );
    return { to, ...renderEmail(content, brandOf(tenant, site)), attachments: await attachmentsOf(deps, advices) };
  };

const dayOf = (day: string): string => fullDay(isoDate(day));

function contentOf(advices: AdviceFacts[], chooseAt: (clubId: string) => URL): EmailContent {
  const [first, ...others] = advices;
  if (!first) throw new Error('A mail of no remittance advice was queued.');
  const { club } = first;
  const ends = {
    note: 'Names of supporters are not in this mail; ask us for a statement when you need them.',
    settings: { label: 'Choose how often you get these emails', url: chooseAt(club.id) },
  };
  if (others.length === 0) {
    const { totals, reference, paidOn, supporters } = first;
    const amount = formatCents(totals.net);
    const people = publishedSupporters(supporters, `fewer than ${minPublishedSupporters}`);
    return {
      subject: `A payout is on its way to ${club.name}`,
      preview: `${amount}, paid on ${dayOf(paidOn)} as ${reference}.`,
      figure: { amount, words: 'on its way' },
      paragraphs: [
        `We paid ${amount} to ${club.name} on ${dayOf(paidOn)}, given by ${people} people. It appears on your bank statement as ${reference}.`,
        'Attached: what it is made of, day by day, and a four-week forecast, as a PDF to keep and a CSV for your books.',
      ],
      ...ends,
    };
  }
  const amount = formatCents(total(advices.map(({ totals }) => totals.net)));
  const span = `${dayOf(first.paidOn)} to ${dayOf(advices.at(-1)?.paidOn ?? first.paidOn)}`;
  return {
    subject: `${advices.length} payouts to ${club.name}`,
    preview: `${amount}, paid from ${span}.`,
    figure: { amount, words: `paid in ${advices.length} deposits` },
    paragraphs: [
      `We paid ${amount} to ${club.name} in ${advices.length} deposits, from ${span}. On your statement:`,
      ...advices.map(({ paidOn, totals, reference }) => `${dayOf(paidOn)}: ${formatCents(totals.net)}, ${reference}`),
      'Attached: what each is made of, day by day, as a PDF to keep, and one CSV of all for your books.',
    ],
    ...ends,
  };
}

/** A PDF of each advice, and one CSV of all. */
async function attachmentsOf(deps: AdviceDeps, advices: Advice[]): Promise<Attachment[]> {
  const files: AdviceFiles[] = [];
  for (const advice of advices) files.push(await filesOf(deps, advice));
  const [first, ...others] = files;
  if (!first) return [];
  const name = others.length > 0 ? `${first.name}-and-${others.length}-more` : first.name;
  const csv = adviceCsv(advices.map((advice) => AdviceFacts.parse(advice.facts)));
  return [
    ...files.map(({ name, pdf }) => ({ name: `${name}.pdf`, type: 'application/pdf', content: pdf })),
    { name: `${name}.csv`, type: 'text/csv; charset=utf-8', content: new TextEncoder().encode(csv) },
  ];
}
