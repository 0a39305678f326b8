import { contrast, inkOn, shade, tint } from './contrast.ts';

/** A tenant's five colours, `#rrggbb` each. */
export interface TenantTheme {
  primary: string;
  background: string;
  switch: string;
  body: string;
  secondary: string;
}

/** The greys of every tenant's main and secondary text. */
export const pageInks = { ink: '#14191b', quiet: '#545d61' } as const;

/** Returns the CSS variables of a tenant's colours and shades. */
export function tenantColours({ theme }: { theme: TenantTheme }) {
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

export interface WeakContrast {
  what: string;
  contrast: number;
  /** WCAG 2.2: 4.5 for text (1.4.3), 7 for what is read at length (1.4.6), 3 for edges of controls (1.4.11). */
  wanted: number;
}

/** Where a theme cannot be read although shades are sought for it: mid greys, and pages whose text would drown in them. */
export function weakContrasts(settings: { theme: TenantTheme }): WeakContrast[] {
  const colours = tenantColours(settings);
  const { body } = settings.theme;
  const pairs: [what: string, one: string, other: string, wanted: number][] = [
    ['text on primary', colours['--tenant-on-primary'], settings.theme.primary, 4.5],
    ['text on background', colours['--tenant-on-background'], settings.theme.background, 4.5],
    ['text on secondary', colours['--tenant-on-secondary'], settings.theme.secondary, 4.5],
    ['primary text on body', colours['--tenant-primary-ink'], body, 7],
    ['secondary text on body', colours['--tenant-secondary-ink'], body, 4.5],
    ['the edge of secondary on body', colours['--tenant-secondary-edge'], body, 3],
    ['the edge of the switch on body', colours['--tenant-switch-edge'], body, 3],
    ['the edge of background on body', colours['--tenant-background-edge'], body, 3],
    ['text on body', pageInks.ink, body, 7],
    ['quiet text on body', pageInks.quiet, body, 4.5],
  ];
  return pairs
    .map(([what, one, other, wanted]) => ({ what, contrast: contrast(one, other), wanted }))
    .filter((pair) => pair.contrast < pair.wanted);
}
