import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrast } from './contrast.ts';
import { oklchOf } from './oklch.ts';
import { tenantColours, weakContrasts } from './tenant-colours.ts';

const teal = { primary: '#000000', background: '#47b3b5', switch: '#47b3b5', body: '#ffffff', secondary: '#47b3b5' };

test('the product’s own teal on white can be read everywhere', () => {
  expect(weakContrasts({ theme: teal })).toEqual([]);
});

test('a dark page drowns its text, and each place where it does is named', () => {
  expect(weakContrasts({ theme: { ...teal, body: '#202830' } }).map(({ what }) => what)).toEqual([
    'text on body',
    'quiet text on body',
  ]);
});

test('a middling grey takes neither dark nor white text', () => {
  const [weak] = weakContrasts({ theme: { ...teal, background: '#787878' } });
  expect(weak).toMatchObject({ what: 'text on background', wanted: 4.5 });
  expect(weak?.contrast).toBeCloseTo(4.42, 1);
});

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const theme = fc.record({ primary: colour, background: colour, switch: colour, body: colour, secondary: colour });

test('on white, any colours yield shades for all that is written or drawn on the page itself', () =>
  fc.assert(
    fc.property(theme, (theme) => {
      const onPage = weakContrasts({ theme: { ...theme, body: '#ffffff' } }).filter(({ what }) =>
        /on body$/.test(what),
      );
      expect(onPage).toEqual([]);
    }),
  ));

test('at night, with any colours, all that is written or drawn on the page itself can be read', () =>
  fc.assert(
    fc.property(theme, (theme) => {
      const weak = weakContrasts({ theme }).map(({ what }) => what);
      expect(weak.filter((what) => /on body at night$/.test(what))).toEqual([]);
      expect(weak).not.toContain('text on primary at night');
    }),
  ));

const hueDrift = (one: string, other: string): number => {
  const apart = Math.abs(oklchOf(one).hue - oklchOf(other).hue);
  return Math.min(apart, 360 - apart);
};

test('at night, with any colours, the background keeps its hue and text on it is no weaker than by day', () =>
  fc.assert(
    fc.property(theme, (theme) => {
      const night = tenantColours({ theme }, 'dark')['--tenant-background'];
      if (oklchOf(theme.background).chroma > 0.02) expect(hueDrift(night, theme.background)).toBeLessThan(5);
      const isWeak = (what: string) => weakContrasts({ theme }).some((pair) => pair.what === what);
      if (!isWeak('text on background')) expect(isWeak('text on background at night')).toBe(false);
    }),
  ));

test('rings are seen on every background, and text over them can be read', () =>
  fc.assert(
    fc.property(theme, fc.constantFrom('light' as const, 'dark' as const), (theme, scheme) => {
      const colours = tenantColours({ theme }, scheme);
      const [ring, background] = [colours['--tenant-ring'], colours['--tenant-background']];
      expect(contrast(ring, background)).toBeGreaterThan(1.3);
      if (colours['--tenant-on-background'] === '#ffffff') expect(contrast(ring, '#ffffff')).toBeGreaterThan(4.5);
    }),
  ));

test('what is not named as weak does reach its contrast', () =>
  fc.assert(
    fc.property(theme, (theme) => {
      const colours = tenantColours({ theme });
      const weak = weakContrasts({ theme }).map(({ what }) => what);
      expect(weak.includes('text on primary')).toBe(contrast(colours['--tenant-on-primary'], theme.primary) < 4.5);
      expect(weak.includes('primary text on body')).toBe(contrast(colours['--tenant-primary-ink'], theme.body) < 7);
    }),
  ));
