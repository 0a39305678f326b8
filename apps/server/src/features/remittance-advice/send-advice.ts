import { createHash } from 'node:crypto';
import { formatCents, fullDay, isoDate } from '@sparechange/domain';
import type { Pool } from '#db/connect.ts';
import { withSessionLock } from '#db/session-lock.ts';
import type { DocumentPrinter } from '#documents/document-brands.ts';
import { handOver } from '#features/emails/deliver-email.ts';
import { brandOf } from '#features/emails/email.ts';
import { renderEmail } from '#features/emails/render-email.ts';
import type { Clock } from '#ports/clock.ts';
import type { Mail, Mailer } from '#ports/mailer.ts';
import type { Tenant, Tenants } from '#tenants/load-tenants.ts';
import type { Sites } from '#tenants/tenant-site.ts';
import { packCsv, packDocument, packFileName } from './advice-documents.ts';
import { type DuePack, listDuePacks, notePackMailed, type Pack, PackFacts } from './advice-repository.ts';

export interface SendPacksDeps {
  db: Pool;
  clock: Clock;
  mailer: Mailer;
  tenants: Tenants;
  sites: Sites;
  printer: DocumentPrinter;
  /** The product's own tenant, whose letterhead it is. */
  mainTenant: string;
}

const pageSize = 20;

/** Mails the packs that are due, each once; one program does at a time. Says how many were sent. */
export async function sendPacks(deps: SendPacksDeps): Promise<number> {
  let sent = 0;
  await withSessionLock(deps.db, 'send packs', async () => {
    for (;;) {
      const due = await listDuePacks(deps.db, deps.clock.now(), pageSize);
      for (const pack of due) {
        const became = await sendOne(deps, pack);
        if (became === 'sent') sent += 1;
        if (became === 'waiting') return; // the mail server is away: the rest waits with it
      }
      if (due.length < pageSize) return;
    }
  });
  return sent;
}

async function sendOne(deps: SendPacksDeps, pack: DuePack): Promise<'sent' | 'given up' | 'waiting'> {
  const now = deps.clock.now();
  const handed = await handOver(deps.mailer, await mailOf(deps, pack), pack.attempts);
  switch (handed.became) {
    case 'sent':
      await notePackMailed(deps.db, pack, { sentAt: now });
      return 'sent';
    case 'waiting':
      await notePackMailed(deps.db, pack, { dueAt: new Date(now.getTime() + handed.pauseMs), failure: handed.because });
      return 'waiting';
    default:
      await notePackMailed(deps.db, pack, { givenUpAt: now, failure: handed.because });
      return 'given up';
  }
}

function mainTenantOf({ tenants, mainTenant }: Pick<SendPacksDeps, 'tenants' | 'mainTenant'>): Tenant {
  const tenant = tenants.byKey(mainTenant) ?? tenants.byKey('default');
  if (!tenant) throw new Error('There is no default tenant.');
  return tenant;
}

export interface PackFiles {
  name: string;
  csv: string;
  pdf: Uint8Array;
}

/** Returns a pack's two files, identical each time. */
export async function filesOf(
  deps: Pick<SendPacksDeps, 'printer' | 'tenants' | 'mainTenant'>,
  pack: Pack,
): Promise<PackFiles> {
  const facts = PackFacts.parse(pack.facts);
  const brand = await deps.printer.brandOf(mainTenantOf(deps));
  const pdf = await deps.printer.print(packDocument(facts, brand, pack.madeAt));
  return { name: packFileName(facts), csv: packCsv(facts), pdf };
}

async function mailOf(deps: SendPacksDeps, pack: DuePack): Promise<Mail> {
  const { club, totals, reference, paidOn, givers } = PackFacts.parse(pack.facts);
  const tenant = mainTenantOf(deps);
  const amount = formatCents(totals.net);
  const people = givers === 1 ? 'one person' : `${givers} people`;
  const letter = {
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
    id: createHash('sha256').update(`payout pack ${pack.remittanceId}`).digest('hex').slice(0, 40),
    to: pack.email,
    ...renderEmail(letter, brandOf(tenant, deps.sites.siteOf(tenant.key))),
    attachments: [
      { name: `${name}.pdf`, type: 'application/pdf', content: pdf },
      { name: `${name}.csv`, type: 'text/csv; charset=utf-8', content: new TextEncoder().encode(csv) },
    ],
  };
}
