import { brandOf, type EmailContent } from '#features/correspondence/emails/email.ts';
import { renderEmail } from '#features/correspondence/emails/render-email.ts';
import type { OobMail } from '#identity/service.ts';
import type { Mail } from '#ports/mailer.ts';
import { tenantOrDefault } from '#tenants/load-tenants.ts';
import { tenantKeyOf } from '#tenants/tenant-site.ts';
import type { Runtime } from './compose.ts';

const nothingHasChanged = 'If you did not ask for it, nothing has changed and you can ignore this email.';

/** Fixed words of the emails that carry a code: nothing in them was typed by the person who asked for one. */
const contents: Record<OobMail['requestType'], Omit<EmailContent, 'action'> & { label: string }> = {
  password_reset: {
    subject: 'Reset your password',
    preview: 'The link works once, within one hour.',
    paragraphs: ['Choose a new password with this link. It works once, within one hour.'],
    label: 'Choose a new password',
    note: nothingHasChanged,
  },
  verify_email: {
    subject: 'Confirm your email',
    preview: 'The link works once, within three days.',
    paragraphs: ['Confirm with this link that this is your email address. It works once, within three days.'],
    label: 'Confirm your email',
    note: nothingHasChanged,
  },
  verify_and_change_email: {
    subject: 'Confirm your new email address',
    preview: 'The link works once, within one day.',
    paragraphs: [
      'Confirm with this link that your account goes over to this email address. It works once, within one day. You will sign in with this address afterwards.',
    ],
    label: 'Confirm the new address',
    note: nothingHasChanged,
  },
  recover_email: {
    subject: 'Your email address was changed',
    preview: 'If this was not you, you can undo it within seven days.',
    paragraphs: [
      'The email address of your account was changed. You sign in with the new address, and our emails go there from now on.',
      'If this was not you, undo the change with this link. It works within seven days: it restores this address, signs everybody out, and we send you a link to choose a new password.',
    ],
    label: 'Undo the change',
    note: 'If you changed it yourself, there is nothing to do.',
  },
};

/** The email with an out-of-band code, in the look of the tenant at whose host it was asked for. */
export function oobMail(
  { config, tenants, sites }: Pick<Runtime, 'config' | 'tenants' | 'sites'>,
  { requestType, email, link }: Pick<OobMail, 'requestType' | 'email' | 'link'>,
): Mail {
  const tenant = tenantOrDefault(tenants, tenantKeyOf(link.host, config.tenantRule, config.productDomain));
  const { label, ...words } = contents[requestType];
  const content = { ...words, action: { label, url: link } };
  return { to: email, ...renderEmail(content, brandOf(tenant, sites.siteOf(tenant.key))) };
}
