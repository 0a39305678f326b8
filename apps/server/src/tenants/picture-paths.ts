import type { Tenant } from './load-tenants.ts';

/** A brand's icon, whole or to be cut to any shape around the middle. */
export const iconPath = ({ key }: Pick<Tenant, 'key'>, size: 180 | 192 | 512, purpose: 'any' | 'maskable'): string =>
  `/share/${key}/icon-${purpose === 'maskable' ? 'maskable-' : ''}${size}.png`;

/** A brand's wide logo as mails show it. */
export const mailLogoPath = ({ key }: Pick<Tenant, 'key'>): string => `/share/${key}/mail-logo.png`;
