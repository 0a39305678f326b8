import { formatCents, fullDay, isoDate } from '@sparechange/domain';
import { z } from 'zod';
import type { Pool } from '#db/connect.ts';
import type { DocumentPrinter } from '#documents/document-brands.ts';
import { brandOf } from '#features/emails/email.ts';
import { renderEmail } from '#features/emails/render-email.ts';
import type { Composer } from '#features/outbox/send-mails.ts';
import { type Tenants, tenantOrDefault } from '#tenants/load-tenants.ts';
import type { Sites } from '#tenants/tenant-site.ts';
import { packCsv, packDocument, packFileName } from './advice-documents.ts';
import { findPack, type Pack, PackFacts } from './advice-repository.ts';

export interface AdviceDeps {
  db: Pool;
  tenants: Tenants;
  sites: Sites;
  printer: DocumentPrinter;
  /** The product's own tenant, whose letterhead it is. */
  mainTenant: string;
}

export interface PackFiles {
  name: string;
  csv: string;
  pdf: Uint8Array;
}

/** Returns a pack's two files, identical each time. */
export async function filesOf(
  deps: Pick<AdviceDeps, 'printer' | 'tenants' | 'mainTenant'>,
  pack: Pack,
): Promise<PackFiles> {
  const facts = PackFacts.parse(pack.facts);
  const brand = await deps.printer.brandOf(tenantOrDefault(deps.tenants, deps.mainTenant));
  const pdf = await deps.printer.print(packDocument(facts, brand, pack.madeAt));
  return { name: packFileName(facts), csv: packCsv(facts), pdf };
}

const MailFacts = z.object({ kind: z.literal('remittance_advice'), remittanceId: z.uuid() });

/** Composes the mail of a pack to the club, with its two files. */
export const adviceComposer =
  (deps: AdviceDeps): Composer =>
  async (mail) => {
    const pack = await findPack(deps.db, MailFacts.parse(mail.facts).remittanceId);
    if (!pack?.email) throw new Error('A remittance advice without an address was queued.');
    return { to: pack.email, ...(await mailOf(deps, pack)) };
  };

async function mailOf(deps: AdviceDeps, pack: Pack) {
  const { club, totals, reference, paidOn, supporters } = PackFacts.parse(pack.facts);
  const tenant = tenantOrDefault(deps.tenants, deps.mainTenant);
  const amount = formatCents(totals.net);
  const people = supporters === 1 ? 'one person' : `${supporters} people`;
  const content = {
    subject: `${amount} is on its way to ${club.name}`,
    preview: `Paid on ${fullDay(isoDate(paidOn))} as ${reference}.`,
    paragraphs: [
      `We paid ${amount} to ${club.name} on ${fullDay(isoDate(paidOn))}, given by ${people}. It stands on your bank statement as ${reference}.`,
      'Attached are what it is made of, day by day, and what to expect of the next four weeks: as a PDF to keep and as a CSV for your books.',
    ],
    note: 'Names of supporters are not in this mail; ask us for a statement when you need them.',
  };
  const { name, csv, pdf } = await filesOf(deps, pack);
  return {
    ...renderEmail(content, brandOf(tenant, deps.sites.siteOf(tenant.key))),
    attachments: [
      { name: `${name}.pdf`, type: 'application/pdf', content: pdf },
      { name: `${name}.csv`, type: 'text/csv; charset=utf-8', content: new TextEncoder().encode(csv) },
    ],
  };
}
