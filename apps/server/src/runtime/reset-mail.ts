import { brandOf } from '#features/emails/brand.ts';
import { renderLetter } from '#features/emails/render-email.ts';
import { tenantKeyOf } from '#features/tenants/tenant-host.ts';
import type { Mail } from '#ports/mailer.ts';
import type { Runtime } from './compose.ts';

/** The mail with the link to choose a new password, in the look of the tenant at whose host it was asked for. */
export function resetMail(
  { config, tenants, sites }: Pick<Runtime, 'config' | 'tenants' | 'sites'>,
  to: string,
  link: URL,
): Mail {
  const tenant =
    tenants.byKey(tenantKeyOf(link.host, config.tenantRule, config.productDomain)) ?? tenants.byKey('default');
  if (!tenant) throw new Error('There is no default tenant.');
  const letter = {
    subject: 'Reset your password',
    preview: 'The link works once, within one hour.',
    paragraphs: ['Choose a new password with this link. It works once, within one hour.'],
    action: { label: 'Choose a new password', url: link },
    note: 'If you did not ask for it, nothing has changed and you can ignore this mail.',
  };
  return { to, ...renderLetter(letter, brandOf(tenant, sites.siteOf(tenant.key))) };
}
