/** Contrast of WCAG 2.2, and shades of a tenant's colour that reach it: palettes stay, text on them stays readable. */

type Rgb = readonly [number, number, number];

function rgb(colour: string): Rgb {
  const value = Number.parseInt(colour.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

const hex = (channels: Rgb): string =>
  `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;

function luminance(colour: string): number {
  const [red, green, blue] = rgb(colour).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/** Returns the contrast of two colours, from 1 (the same) to 21 (black on white). */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const nearBlack = '#101415';

/** Returns near-black where readable enough, else the better of both. */
export function inkOn(colour: string): string {
  const dark = contrast(nearBlack, colour);
  return dark >= 7 || dark >= contrast('#ffffff', colour) ? nearBlack : '#ffffff';
}

function mix(colour: string, other: string, share: number): string {
  const [red, green, blue] = rgb(colour);
  const [otherRed, otherGreen, otherBlue] = rgb(other);
  return hex([red + (otherRed - red) * share, green + (otherGreen - green) * share, blue + (otherBlue - blue) * share]);
}

/** Returns the shade nearest to a colour that reaches a contrast on a ground: darker on light grounds, lighter on dark ones. */
export function shade(colour: string, ground: string, ratio: number): string {
  const towards = inkOn(ground) === '#ffffff' ? '#ffffff' : '#000000';
  for (let share = 0; share < 1; share += 0.02) {
    const candidate = mix(colour, towards, share);
    if (contrast(candidate, ground) >= ratio) return candidate;
  }
  return towards;
}

/** Mixes a colour into a ground, for large quiet surfaces. */
export const tint = (colour: string, ground: string, share: number): string => mix(ground, colour, share);
