import type { TenantSettings } from '@sparechange/contract';
import { inkOn, shade, tint } from './contrast.ts';

/** The tenant's five colours and the shades that text and edges need on them, as CSS variables. */
export function tenantColours({ theme }: Pick<TenantSettings, 'theme'>): Record<`--tenant-${string}`, string> {
  const { primary, background, switch: toggle, body, secondary } = theme;
  return {
    '--tenant-primary': primary,
    '--tenant-background': background,
    '--tenant-switch': toggle,
    '--tenant-body': body,
    '--tenant-secondary': secondary,
    '--tenant-on-primary': inkOn(primary),
    '--tenant-primary-ink': shade(primary, body, 7),
    '--tenant-on-background': inkOn(background),
    '--tenant-ring': inkOn(background) === '#ffffff' ? '#000000' : '#ffffff',
    '--tenant-background-wash': tint(background, body, 0.1),
    '--tenant-background-edge': shade(background, body, 3),
    '--tenant-on-switch': inkOn(toggle),
    '--tenant-switch-edge': shade(toggle, body, 3),
    '--tenant-on-secondary': inkOn(secondary),
    '--tenant-secondary-edge': shade(secondary, body, 3),
    '--tenant-secondary-ink': shade(secondary, body, 4.5),
  };
}

export function paintTenant(root: HTMLElement, settings: Pick<TenantSettings, 'theme'>): void {
  for (const [name, colour] of Object.entries(tenantColours(settings))) root.style.setProperty(name, colour);
}
