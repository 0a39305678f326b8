import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brandOf } from '@sparechange/server/features/correspondence/emails/email.ts';
import { emailContentOf } from '@sparechange/server/features/correspondence/emails/emails.ts';
import { renderEmail } from '@sparechange/server/features/correspondence/emails/render-email.ts';
import {
  everyKind,
  exampleContext,
} from '@sparechange/server/features/correspondence/emails/testing/example-emails.ts';
import { escapeHtml } from '@sparechange/server/html.ts';
import { loadTenants } from '@sparechange/server/tenants/load-tenants.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Returns one page with every email as a tenant's supporters get it. */
export async function previewPage(tenantKey: string): Promise<string> {
  const tenant = (await loadTenants(`${root}tenants`)).byKey(tenantKey);
  if (!tenant) throw new Error(`There is no tenant ${tenantKey}; a file of tenants/ without .json names one.`);
  const site = new URL('https://sparechange.example/');
  const brand = { ...brandOf(tenant, site), logo: pathToFileURL(`${root}${tenant.logoURL.slice(1)}`) };
  const emails = Object.values(everyKind).flat();
  const parts = emails.map((facts) => {
    const { subject, html } = renderEmail(emailContentOf(facts, exampleContext(site)), brand, 'Robin');
    return `<h2>${facts.kind}</h2><p>${escapeHtml(subject)}</p><iframe srcdoc="${escapeHtml(html)}"></iframe>`;
  });
  const style =
    'body{font-family:sans-serif;margin:2rem}iframe{width:100%;max-width:42rem;height:38rem;border:1px solid}';
  return `<!doctype html><meta charset="utf-8"><title>Emails</title><style>${style}</style>\n${parts.join('\n')}\n`;
}

if (process.argv[1] === import.meta.filename) {
  const file = `${root}test-results/emails.html`;
  mkdirSync(`${root}test-results`, { recursive: true });
  writeFileSync(file, await previewPage(process.argv[2] ?? 'default'));
  process.stdout.write(`${file}\n`);
}
