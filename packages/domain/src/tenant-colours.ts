import { contrast, inkOn, shade, tint } from './contrast.ts';
import { hexOf, oklchOf } from './oklch.ts';

/** A tenant's five colours, `#rrggbb` each. */
export interface TenantTheme {
  primary: string;
  background: string;
  switch: string;
  body: string;
  secondary: string;
}

export type ColourScheme = 'light' | 'dark';

/** The greys of main and secondary text, and the darkest or lightest ground that they stand on. */
export const pageColours = {
  light: { ink: '#14191b', quiet: '#545d61', surface: '#ffffff' },
  dark: { ink: '#edf1f2', quiet: '#a7b2b6', surface: '#1c2326' },
} as const;

/** By day a page has the tenant's own colour, at night everybody's. */
const bodyOf = (theme: TenantTheme, scheme: ColourScheme): string =>
  scheme === 'light' ? theme.body : pageColours.dark.surface;

/** The lightest that a large surface is at night. A dim yellow is olive and a dim orange brown, so these stay lighter. */
function lightestAtNight(hue: number): number {
  const fromYellow = Math.min(Math.abs(hue - 85), 360 - Math.abs(hue - 85), 70) / 70;
  return 0.66 + 0.16 * Math.cos((fromYellow * Math.PI) / 2);
}

function dimmedBackground(background: string): string {
  const colour = oklchOf(background);
  const lightest = lightestAtNight(colour.hue);
  return colour.lightness <= lightest ? background : hexOf({ ...colour, lightness: lightest });
}

/** Below this a colour is a grey, which has no hue to keep. */
const leastChroma = 0.04;

/** Returns a button's colour as light as it has to be on the page at night, and as colourful as it is by day. */
function lightened(primary: string, body: string): string {
  const colour = oklchOf(primary);
  if (colour.chroma < leastChroma) return shade(primary, body, 13);
  let shown = primary;
  for (let { lightness } = colour; lightness < 1 && contrast(shown, body) < 4.2; lightness += 0.01)
    shown = hexOf({ ...colour, lightness });
  return shown;
}

/** Returns a theme as it is at night: large surfaces dimmed, buttons light enough to stand out, hues and chroma kept. */
function dimmed(theme: TenantTheme): TenantTheme {
  const body = bodyOf(theme, 'dark');
  return {
    ...theme,
    body,
    primary: lightened(theme.primary, body),
    background: dimmedBackground(theme.background),
  };
}

/** A ring of less contrast is not seen. */
const leastRingContrast = 1.35;

/** Returns the colour of the rings on a background: seen on it, and under its text still no hindrance. */
function ringOn(background: string): string {
  const colour = oklchOf(background);
  if (inkOn(background) !== '#ffffff') {
    const isSeenInWhite = contrast('#ffffff', background) > leastRingContrast;
    return isSeenInWhite ? '#ffffff' : hexOf({ ...colour, lightness: colour.lightness - 0.14 });
  }
  if (colour.lightness > 0.36) return '#000000';
  return hexOf({ ...colour, lightness: Math.max(colour.lightness + 0.18, 0.32) });
}

/** Returns the CSS variables of a tenant's colours and shades. */
export function tenantColours({ theme }: { theme: TenantTheme }, scheme: ColourScheme = 'light') {
  const { primary, background, switch: toggle, body, secondary } = scheme === 'dark' ? dimmed(theme) : theme;
  return {
    '--tenant-primary': primary,
    '--tenant-background': background,
    '--tenant-switch': toggle,
    '--tenant-body': scheme === 'dark' ? '#121719' : body,
    '--tenant-secondary': secondary,
    '--tenant-on-primary': inkOn(primary),
    '--tenant-primary-ink': shade(primary, body, 7),
    '--tenant-on-background': inkOn(background),
    '--tenant-ring': ringOn(background),
    '--tenant-background-wash': tint(theme.background, body, scheme === 'dark' ? 0.14 : 0.1),
    '--tenant-background-edge': shade(background, body, 3),
    '--tenant-on-switch': inkOn(toggle),
    '--tenant-switch-edge': shade(toggle, body, 3),
    '--tenant-on-secondary': inkOn(secondary),
    '--tenant-secondary-edge': shade(secondary, body, 3),
    '--tenant-secondary-ink': shade(secondary, body, 4.5),
  };
}

/** Returns the style sheet of a tenant's colours, by day and by night. */
export function tenantStyle(settings: { theme: TenantTheme }): string {
  const rule = (scheme: ColourScheme) =>
    `:root{${Object.entries(tenantColours(settings, scheme))
      .map(([name, colour]) => `${name}:${colour}`)
      .join(';')}}`;
  return `${rule('light')}@media screen and (prefers-color-scheme:dark){${rule('dark')}}`;
}

export interface WeakContrast {
  what: string;
  contrast: number;
  /** WCAG 2.2: 4.5 for text (1.4.3), 7 for what is read at length (1.4.6), 3 for edges of controls (1.4.11). */
  wanted: number;
}

/** Returns where a theme stays unreadable although shades are sought for it: mid greys, and pages that drown their text. */
export function weakContrasts(settings: { theme: TenantTheme }): WeakContrast[] {
  return (['light', 'dark'] as const).flatMap((scheme) => {
    const weak = weakIn(settings, scheme);
    return scheme === 'light' ? weak : weak.map((pair) => ({ ...pair, what: `${pair.what} at night` }));
  });
}

function weakIn(settings: { theme: TenantTheme }, scheme: ColourScheme): WeakContrast[] {
  const colours = tenantColours(settings, scheme);
  const body = bodyOf(settings.theme, scheme);
  const { ink, quiet } = pageColours[scheme];
  const pairs: [what: string, one: string, other: string, wanted: number][] = [
    ['text on primary', colours['--tenant-on-primary'], colours['--tenant-primary'], 4.5],
    ['text on background', colours['--tenant-on-background'], colours['--tenant-background'], 4.5],
    ['text on secondary', colours['--tenant-on-secondary'], colours['--tenant-secondary'], 4.5],
    ['primary text on body', colours['--tenant-primary-ink'], body, 7],
    ['secondary text on body', colours['--tenant-secondary-ink'], body, 4.5],
    ['the edge of secondary on body', colours['--tenant-secondary-edge'], body, 3],
    ['the edge of the switch on body', colours['--tenant-switch-edge'], body, 3],
    ['the edge of background on body', colours['--tenant-background-edge'], body, 3],
    ['text on body', ink, body, 7],
    ['quiet text on body', quiet, body, 4.5],
  ];
  return pairs
    .map(([what, one, other, wanted]) => ({ what, contrast: contrast(one, other), wanted }))
    .filter((pair) => pair.contrast < pair.wanted);
}
