import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Unavailable } from '#errors.ts';
import { aPng } from '#testing/a-png.ts';
import { ProcessEnded } from './own-process.ts';
import { logoTrial, tryLogo } from './try-logo.ts';

const logo = (name: string) => readFileSync(new URL(`../../../../tenants/logos/${name}.svg`, import.meta.url), 'utf8');
const wide = logo('default');

test('our logos are drawn and printed within a second', async () => {
  expect(await tryLogo(wide, 'wide')).toEqual([]);
  expect(await tryLogo(logo('default-mark'), 'mark')).toEqual([]);
});

/** A JPEG of 32 by 18 pixels. */
const jpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUAAQEAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADb/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAASACADASIAAhEBAxEB/8QAGAABAQEBAQAAAAAAAAAAAAAAAAMEAQX/xAAdEAACAwEAAwEAAAAAAAAAAAABAgADIREEEjFB/8QAFwEAAwEAAAAAAAAAAAAAAAAAAQMEBf/EABsRAAICAwEAAAAAAAAAAAAAAAADAQIEITER/9oADAMBAAIRAxEAPwCQ9KxxRs4zE6TwSVlyV/vTMz22WnMECsT3dib1jpL2eQiYNMzs9lp3BAQLp0yqVu+KOCUzdao0WKxIruxmGvsuPkRH34Mx+CvX2eggATIiYrujX8P/2Q==',
  'base64',
);

test('a PNG or JPEG of any colour is drawn, and one that was cut off is refused', async () => {
  for (const picture of [aPng(0), aPng(128), aPng(255), jpeg]) {
    expect(await tryLogo(picture, 'picture')).toEqual([]);
    expect(await tryLogo(picture.subarray(0, -30), 'picture')).toEqual(['it cannot be drawn']);
  }
});

test('a logo that ends what draws it is refused; another that it cannot read, too', async () => {
  const ends = async () => {
    throw new ProcessEnded('more than 1000 ms of processor time');
  };
  const fails = async () => {
    throw new Error('it has no size');
  };
  const prints = async () => undefined;
  const draws = async () => Buffer.alloc(0);
  expect(await logoTrial({ draw: ends, print: prints })(wide, 'wide')).toEqual([
    'it takes too much time or memory to draw',
  ]);
  expect(await logoTrial({ draw: draws, print: fails })(wide, 'wide')).toEqual(['it cannot be drawn']);
});

test('a logo is tried once, and never where its numbers are out of bounds', async () => {
  let drawn = 0;
  const draw = async () => Buffer.alloc(drawn++);
  const trial = logoTrial({ draw, print: async () => undefined });
  for (const svg of [wide, wide, wide.replace(/viewBox="0 0 \d+/, 'viewBox="0 0 99999999')]) await trial(svg, 'wide');
  expect(drawn).toBe(2);
});

test('while too many drawings wait, a logo is neither refused nor accepted', async () => {
  const busy = async () => {
    throw new Unavailable();
  };
  await expect(logoTrial({ draw: busy, print: busy })(wide, 'wide')).rejects.toMatchObject({ code: 'unavailable' });
});
