import { renderAsync } from '@resvg/resvg-js';
import {
  downloadPoster,
  type PosterFormat,
  retrieveClubFigures,
  retrieveClubLink,
} from '@sparechange/contract/console';
import { addDays } from '@sparechange/domain';
import decodeQr from 'qr/decode.js';
import { extractText, getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import { beforeAll, expect, test } from 'vitest';
import { today } from '#ports/clock.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole } from '#testing/console.ts';
import { aClub, aTenant, someTenants } from '#testing/makers.ts';

const theme = { primary: '#b3261e', background: '#0b3d5c', switch: '#b3261e', body: '#ffffff', secondary: '#f2a900' };
const homeId = 'c0a57000-0000-4000-8000-000000000001';
const api = ownApp({
  tenants: someTenants(aTenant(), aTenant({ key: 'coral-coast', name: 'Coral Coast', parentClubId: homeId, theme })),
});

let clubId: string;
beforeAll(async () => {
  await aClub(api.db, { id: homeId, slug: 'coral-coast', name: 'Coral Coast' });
  clubId = await aClub(api.db, { slug: 'wattle-creek-fc', name: 'Wattle Creek Football Club', parentId: homeId });
});

const page = 'coral-coast.sparechange.example/wattle-creek-fc';
/** Sends the club's page a visit by poster. */
const scanned = `https://${page}?efg=1&u=poster`;

async function download(format: PosterFormat): Promise<Buffer> {
  const treasurer = await anOperator(api.db, { roles: ['treasurer'], clubIds: [clubId] });
  const { body } = await callConsole(api.app, downloadPoster, { clubId, format }, treasurer);
  return Buffer.from(body.content, 'base64');
}

/** Reads a picture's code as a phone's camera does. */
async function scan(svg: string): Promise<string> {
  const { width, height, pixels } = await renderAsync(svg, { fitTo: { mode: 'width', value: 700 } });
  return decodeQr({ width, height, data: pixels }, { format: 'RGBA', timeLimit: 10_000 });
}

const drawn = (size: number, path: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}"/></svg>`;

test('the code of a club leads to its page, on the screen and in the files', async () => {
  const treasurer = await anOperator(api.db, { roles: ['treasurer'], clubIds: [clubId] });
  const { address, widget, qr } = (await callConsole(api.app, retrieveClubLink, { clubId }, treasurer)).body;
  expect(address).toBe(`https://${page}`);
  expect(widget).toBe('https://coral-coast.sparechange.example/widget/wattle-creek-fc');
  expect(await scan(drawn(qr.size, qr.path))).toBe(scanned);
  expect(await scan((await download('svg')).toString())).toBe(scanned);
  const png = await download('png');
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  expect([width, height]).toEqual([qr.size * 32, qr.size * 32]);
  const picture = `<image width="${width}" height="${height}" href="data:image/png;base64,${png.toString('base64')}"/>`;
  expect(
    await scan(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${picture}</svg>`),
  ).toBe(scanned);
});

test('a treasurer sees from when their club takes no more gifts', async () => {
  const treasurer = await anOperator(api.db, { roles: ['treasurer'], clubIds: [clubId] });
  const ends = async () => {
    const answers = [];
    for (const operation of [retrieveClubLink, retrieveClubFigures]) {
      const { endsOn, hasEnded } = (await callConsole(api.app, operation, { clubId }, treasurer)).body;
      answers.push({ endsOn, hasEnded });
    }
    return answers;
  };
  expect(await ends()).toEqual(Array(2).fill({ endsOn: null, hasEnded: false }));
  const day = today(api.clock);
  await api.db`update clubs set ends_on = ${addDays(day, 1)} where id = ${clubId}`;
  expect(await ends()).toEqual(Array(2).fill({ endsOn: addDays(day, 1), hasEnded: false }));
  await api.db`update clubs set ends_on = ${day} where id = ${clubId}`;
  expect(await ends()).toEqual(Array(2).fill({ endsOn: day, hasEnded: true }));
});

/** Lists the fills of a PDF's page, in order: the colour, and the path unless it is text. */
async function fillsOf(pdf: Awaited<ReturnType<typeof getDocumentProxy>>) {
  const { OPS } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await (await pdf.getPage(1)).getOperatorList();
  const fills: { colour: string; path: number[] }[] = [];
  for (const [at, operator] of fnArray.entries()) {
    if (operator === OPS.setFillRGBColor) fills.push({ colour: argsArray[at][0], path: [] });
    const last = fills.at(-1);
    if (last && operator === OPS.constructPath && argsArray[at][0] === OPS.fill)
      last.path = Array.from<number>(argsArray[at][1][0]);
  }
  return fills;
}

/** Returns the path of a PDF's page as SVG, with numbers for "move", "line" and "close". */
function svgPath(path: number[]): string {
  const words: string[] = [];
  for (let at = 0; at < path.length; at += path[at] === 4 ? 1 : 3)
    words.push(path[at] === 4 ? 'z' : `${path[at] === 0 ? 'M' : 'L'}${path[at + 1]} ${path[at + 2]}`);
  return words.join('');
}

test('the poster is one A4 page in the brand’s colours, with the club, its address and the code that leads there', async () => {
  const pdf = await getDocumentProxy(new Uint8Array(await download('poster')));
  const { totalPages, text } = await extractText(pdf, { mergePages: true });
  expect([totalPages, (await pdf.getPage(1)).view]).toEqual([1, [0, 0, 595.28, 841.89]]);
  for (const words of ['Wattle Creek Football Club', page]) expect(text.replace(/\s+/g, ' ')).toContain(words);

  const [ground, ...others] = await fillsOf(pdf);
  expect(ground?.colour).toBe(theme.background);
  expect(ground?.path).toEqual([0, 0, 0, 1, expect.closeTo(595.28), 0, 1, expect.closeTo(595.28), 470, 1, 0, 470, 4]);
  expect(others[0]?.colour).toBe('#ffffff'); // the words on it
  const code = others.filter(({ colour }) => colour === '#000000');
  expect(code).toHaveLength(1);
  const path = code[0]?.path ?? [];
  expect(await scan(drawn(Math.max(...path) + 4, svgPath(path)))).toBe(scanned);
});

test('the picture of the poster leads to the page, as the poster does', async () => {
  const png = await download('preview');
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  expect(width).toBe(840);
  expect(height / width).toBeCloseTo(Math.SQRT2, 2);
  const picture = `<image width="${width}" height="${height}" href="data:image/png;base64,${png.toString('base64')}"/>`;
  const whole = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${picture}</svg>`;
  expect(await scan(whole)).toBe(scanned);
});
