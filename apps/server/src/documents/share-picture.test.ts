import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { drawPng } from './draw-picture.ts';
import { breakLines, clubMailLogoSvg, iconSvg, mailLogoSvg, shareSvg } from './share-picture.ts';

const theme = { primary: '#000000', background: '#47b3b5', switch: '#47b3b5', body: '#ffffff', secondary: '#47b3b5' };
const logo = (name: string) => readFileSync(new URL(`../../../../tenants/logos/${name}.svg`, import.meta.url), 'utf8');
const picture = { theme, logo: logo('default'), title: 'Rovers <FC>', subtitle: 'Riverside · Football' };

test('lines break between words, and what does not fit ends in an ellipsis', () => {
  expect(breakLines('Pelican Point Surf Life Saving Club', 24, 3)).toEqual(['Pelican Point Surf Life', 'Saving Club']);
  expect(breakLines('one two three four', 7, 2)).toEqual(['one two', 'three…']);
  expect(breakLines('Donaudampfschifffahrtsgesellschaft', 10, 1)).toEqual(['Donaudamp…']);
});

test('a name is text and never markup', () => {
  expect(shareSvg(picture)).toContain('Rovers &#60;FC&#62;');
});

test('a logo that cannot be trusted is left out', () => {
  const unsafe = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 40"><script>1</script></svg>';
  expect(shareSvg(picture)).toContain('<image');
  expect(shareSvg({ ...picture, logo: unsafe })).not.toContain('<image');
});

test('a club’s own mark comes first and its brand’s logo beside it; without a mark its first letter stands for it', () => {
  const images = (svg: string) => svg.match(/<image /g)?.length ?? 0;
  const brand = shareSvg(picture);
  const marked = shareSvg({ ...picture, club: 'Rovers <FC>', mark: logo('demo-mark') });
  const lettered = shareSvg({ ...picture, club: '<Rovers>', mark: undefined });
  expect([brand, marked, lettered].map(images)).toEqual([1, 2, 1]);
  for (const svg of [marked, lettered]) expect(svg).toContain('<image x="770"');
  expect(brand).not.toContain('<image x="770"');
  expect(lettered).toContain('>&#60;</text>');
  expect(marked).not.toContain('>R</text>');
});

test('an email shows a club’s mark or first letter with its brand’s logo in one picture, as wide as a narrow phone allows', async () => {
  const unsafe = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><script>1</script></svg>';
  const of = (mark: string | undefined) => clubMailLogoSvg({ logo: logo('default'), mark, club: 'Wattle Creek' });
  expect(of(logo('demo-mark'))).not.toContain('>W</text>');
  for (const mark of [undefined, unsafe]) expect(of(mark)).toContain('>W</text>');
  const drawn = await drawPng(of(undefined));
  expect([drawn.readUInt32BE(16), drawn.readUInt32BE(20)]).toEqual([424, 80]);
});

test('a picture is a PNG of its size, the same every time', async () => {
  const [once, again] = await Promise.all([drawPng(shareSvg(picture)), drawPng(shareSvg(picture))]);
  expect(once.subarray(1, 4).toString()).toBe('PNG');
  expect([once.readUInt32BE(16), once.readUInt32BE(20)]).toEqual([1200, 630]);
  expect(once.equals(again)).toBe(true);
  for (const purpose of ['any', 'maskable'] as const) {
    const icon = await drawPng(iconSvg(logo('default-mark'), 192, purpose));
    expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual([192, 192]);
  }
  const ofMails = await drawPng(mailLogoSvg(logo('default')));
  expect([ofMails.readUInt32BE(16), ofMails.readUInt32BE(20)]).toEqual([400, 80]);
});
