import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { ProcessEnded } from '#documents/own-process.ts';
import { Unavailable } from '#errors.ts';
import { aTenant, someTenants } from '#testing/makers.ts';
import { answerErrors } from './errors.ts';
import { sharePictureRoutes } from './share-pictures.ts';

const logo = readFileSync(new URL('../../../../tenants/logos/default.svg', import.meta.url), 'utf8');
const mark = readFileSync(new URL('../../../../tenants/logos/default-mark.svg', import.meta.url), 'utf8');
const tenants = someTenants(
  aTenant({ logoURL: '/tenants/logos/default.svg', logoURLDashboard: '/tenants/logos/default-mark.svg' }),
);
const brand = {
  clubId: null,
  page: { name: 'Sparechange', slug: null, about: null, suburb: null, sport: null, logoURL: null, pictureURL: null },
};

const wattleCreek = {
  slug: 'wattle-creek',
  landing: { clubId: 'wattle', page: { ...brand.page, name: 'Wattle Creek FC' } },
};

interface Line {
  level: number;
  msg: string;
  err?: { stack?: string };
}

/** Serves the pictures of one brand; `burst` limits how many are drawn. */
function pictures(draw: (svg: string) => Promise<Buffer>, burst = 1_000) {
  const lines: Line[] = [];
  const app = Fastify({ logger: { stream: { write: (line: string) => void lines.push(JSON.parse(line)) } } });
  answerErrors(app);
  let drawn = 0;
  sharePictureRoutes(app, {
    tenants,
    files: {
      read: async () => undefined,
      readLogo: async (name) => (name?.includes('mark') ? mark : name && logo) || undefined,
    },
    landingsAt: async (_tenant, slug) =>
      ({
        address: `https://give.example/${slug}`,
        brand,
        club: slug === wattleCreek.slug ? wattleCreek : undefined,
      }) as never,
    givenPictures: { path: () => '', isOurs: () => false },
    limits: {
      take: (name) => {
        if (name !== 'draw picture') return 0;
        drawn += 1;
        return drawn > burst ? 7 : 0;
      },
      tidy: async () => {},
    },
    draw,
  });
  return { lines, at: (name: string) => app.inject(`/share/default/${name}.png`) };
}

const bytes = async () => Buffer.from('drawn');

test('an email’s picture has the club’s mark, and the brand’s logo alone for a club that is not found', async () => {
  const drawn: string[] = [];
  const { at } = pictures(async (svg) => {
    drawn.push(svg);
    return bytes();
  });
  for (const name of ['mail-logo-wattle-creek', 'mail-logo-nobody', 'mail-logo', 'qr-wattle-creek'])
    expect((await at(name)).statusCode).toBe(200);
  expect((await at('qr-nobody')).statusCode).toBe(404);
  expect(drawn[0]).toContain('>W</text>');
  expect(drawn.slice(1).map((svg) => svg.includes('</text>'))).toEqual([false, false]); // the brand's is drawn once
});

test('a logo that ends what draws it costs that once; the picture is drawn without it', async () => {
  let ended = 0;
  const { at, lines } = pictures(async (svg) => {
    if (!svg.includes('<image')) return bytes();
    ended += 1;
    throw new ProcessEnded('SIGABRT');
  });
  for (let asked = 0; asked < 3; asked += 1) expect((await at('brand')).body).toBe('drawn');
  for (const name of ['icon-192', 'icon-192', 'mail-logo']) expect((await at(name)).statusCode).toBe(404);
  expect(ended).toBe(3); // of the brand, its icon and its logo in emails
  expect(lines.filter(({ msg }) => msg === 'a logo cannot be drawn')).toHaveLength(3);
});

test('a picture is drawn once, and only what is new counts for its network', async () => {
  let drawn = 0;
  const { at } = pictures(async () => {
    drawn += 1;
    return bytes();
  }, 1);
  const answers = await Promise.all([at('brand'), at('brand'), at('brand')]);
  expect(answers.some(({ statusCode }) => statusCode === 200)).toBe(true);
  expect((await at('brand')).statusCode).toBe(200);
  expect(drawn).toBe(1);
  const refused = await at('icon-192');
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '7']);
});

test('refusals of a crowd are lines without a stack, and none of them is an error', async () => {
  const { at, lines } = pictures(async () => {
    throw new Unavailable();
  }, 2);
  expect((await at('brand')).statusCode).toBe(503);
  expect((await at('icon-512')).statusCode).toBe(503);
  expect((await at('icon-192')).statusCode).toBe(429);
  const refused = lines.filter(({ msg }) => msg === 'request refused');
  expect(refused.map(({ level }) => level)).toEqual([40, 40, 30]);
  expect(lines.some(({ level, err }) => level >= 50 || err !== undefined)).toBe(false);
});
