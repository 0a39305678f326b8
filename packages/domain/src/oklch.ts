/** Colours as lightness, chroma and hue (CSS Color 4, OKLCH): a brand can be dimmed without becoming another colour. */
export interface Oklch {
  /** From 0 to 1. */
  lightness: number;
  /** 0 is grey; the most that a screen shows is about 0.3. */
  chroma: number;
  /** In degrees, from 0 to 360. */
  hue: number;
}

type Channels = readonly [number, number, number];

const toLinear = (share: number): number => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
const fromLinear = (share: number): number => (share <= 0.0031308 ? share * 12.92 : 1.055 * share ** (1 / 2.4) - 0.055);

const times = (rows: readonly Channels[], [one, two, three]: Channels): Channels =>
  rows.map(([a, b, c]) => a * one + b * two + c * three) as unknown as Channels;

/** The matrices of CSS Color 4, between linear sRGB, the cones of the eye and Oklab. */
const conesOfRgb = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
] as const;
const labOfCones = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
] as const;
const conesOfLab = [
  [1, 0.3963377774, 0.2158037573],
  [1, -0.1055613458, -0.0638541728],
  [1, -0.0894841775, -1.291485548],
] as const;
const rgbOfCones = [
  [4.0767416621, -3.3077115913, 0.2309699292],
  [-1.2684380046, 2.6097574011, -0.3413193965],
  [-0.0041960863, -0.7034186147, 1.707614701],
] as const;

const each = (channels: Channels, change: (channel: number) => number): Channels =>
  channels.map(change) as unknown as Channels;

/** Reads a colour `#rrggbb`. */
export function oklchOf(colour: string): Oklch {
  const value = Number.parseInt(colour.slice(1), 16);
  const rgb = each([(value >> 16) & 255, (value >> 8) & 255, value & 255], (channel) => toLinear(channel / 255));
  const [lightness, a, b] = times(labOfCones, each(times(conesOfRgb, rgb), Math.cbrt));
  return { lightness, chroma: Math.hypot(a, b), hue: ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360 };
}

const rgbOf = ({ lightness, chroma, hue }: Oklch): Channels => {
  const angle = (hue * Math.PI) / 180;
  const cones = times(conesOfLab, [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)]);
  return times(
    rgbOfCones,
    each(cones, (cone) => cone ** 3),
  );
};

const isShown = (colour: Oklch): boolean => rgbOf(colour).every((channel) => channel > -0.0005 && channel < 1.0005);

/** Writes the colour as `#rrggbb`, with the most of its chroma that a screen shows at its lightness and hue. */
export function hexOf(colour: Oklch): string {
  let [shown, asked] = [0, colour.chroma];
  if (isShown(colour)) shown = asked;
  for (let step = 0; step < 12 && shown < asked; step += 1) {
    const half = (shown + asked) / 2;
    if (isShown({ ...colour, chroma: half })) shown = half;
    else asked = half;
  }
  const channels = rgbOf({ ...colour, chroma: shown }).map((channel) =>
    Math.round(255 * fromLinear(Math.min(1, Math.max(0, channel))))
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${channels.join('')}`;
}
