import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addDays, isoDate } from '@sparechange/domain';
import { timetableOf } from '@sparechange/domain/timetable';
import { describe, expect, it } from 'vitest';

const server = fileURLToPath(new URL('..', import.meta.url));
const root = join(server, '../../..');

/** The folders of the server from the ground up: a folder imports only from the lines above its own. */
const rooms = [
  ['ports', 'errors.ts', 'caller.ts', 'html.ts', 'repeated-lines.ts', 'uuid.ts'],
  ['full-disk.ts', 'kept-address.ts', 'mail-address-in-text.ts', 'trailing-slashes.ts'],
  ['csv.ts', 'decode-text.ts', 'db', 'providers'],
  ['audit', 'identity', 'secrets'],
  ['config', 'tenants'],
  ['documents', 'telemetry'],
  ['http'],
  ['features'],
  ['jobs'],
  ['app-deps.ts'],
  ['registry.ts'],
  ['app.ts'],
  ['runtime'],
  ['main.ts', 'ops'],
];

/**
 * The domains of the product in the order of a cent's way, machinery first, and the features of each from the ground up: a
 * feature imports from the domains above its own line, and in its own domain from the lists before its own. Each domain has
 * a file of its name, which no other source of the features imports, with what its features add to the programs.
 */
const domains: Record<string, string[][]> = {
  core: [
    ['approvals', 'breakers', 'debiting', 'events', 'timeline'],
    ['ledger', 'outbox'],
    ['alarms', 'submission'],
    ['payouts', 'supporter-work'],
  ],
  correspondence: [['direct-debit-request'], ['emails']],
  beneficiaries: [['clubs'], ['bank-details', 'club-requests']],
  supporters: [
    ['handoff', 'profiles', 'purchase-refunds', 'receipts'],
    ['consents', 'onboarding'],
    ['accounts', 'identity'],
    ['round-ups'],
    ['offboarding', 'retention'],
  ],
  disbursements: [
    ['outgoing-webhooks', 'remittance-advice', 'savings'],
    ['programs', 'remittances', 'repayments'],
  ],
  collections: [['debits'], ['donations', 'history', 'next-debit', 'outcomes', 'tenants'], ['bank-files', 'webhooks']],
  accounting: [
    ['bank-statements', 'banking-calendar', 'reconciliation'],
    ['bookkeeping'],
    ['payments', 'journal'],
    ['auditors-pack'],
  ],
  console: [['operators', 'support'], ['monitoring']],
};

/** The file with what a domain adds to the programs. */
const listOf = (domain: string): string => `${domain}.ts`;

/** Sources of the product below a folder, as paths from it; tests and what only they use left out. */
const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /(?<!\.(test|suite))\.tsx?$/.test(path) && !path.split('/').includes('testing'),
  );

/** Returns paths, from the server's folder, that a source imports. */
const importsOf = (path: string): string[] => importsIn(readFileSync(join(server, path), 'utf8'), path);

function importsIn(text: string, path: string): string[] {
  const specifiers = [...text.matchAll(/(?:from |import |import\()'(#|\.{1,2}\/)([^']+)'/g)];
  return specifiers.map(([, start = '', rest = '']) =>
    start === '#' ? rest : posix.join(posix.dirname(path), start, rest),
  );
}

/** Returns imports that break the order of folders inside `below`. */
function wrongImports(order: string[][], below: string): string[] {
  const level = new Map(order.flatMap((names, index) => names.map((name) => [name, index] as const)));
  const nameOf = (path: string) => (path.startsWith(below) ? path.slice(below.length).split('/')[0] : undefined);
  return sourcesIn(join(server, below)).flatMap((source) => {
    const path = below + source;
    const own = nameOf(path) ?? '';
    return importsOf(path)
      .map(nameOf)
      .filter((name) => name !== undefined && name !== own && (level.get(name) ?? 99) >= (level.get(own) ?? -1))
      .map((name) => `${path} imports ${name}`);
  });
}

/** Returns the arrows between folders inside `below`, as "from to". */
const arrowsBetween = (below: string): string[] => {
  const folderOf = (path: string) => (path.startsWith(below) ? path.slice(below.length).split('/')[0] : undefined);
  const arrows = sourcesIn(join(server, below)).flatMap((source) => {
    const own = folderOf(below + source);
    const others = importsOf(below + source).map(folderOf);
    return others.filter((other) => other !== undefined && other !== own).map((other) => `${own} ${other}`);
  });
  return [...new Set(arrows)];
};

/** The workspace of a path: an application, a package, or the repository itself with its tools. */
const workspaceOf = (path: string): string => /^(?:apps|packages)\/[^/]+/.exec(path)?.[0] ?? 'tools';

/** Returns every TypeScript source of the repository, tests included, with its text. */
const allSources = ['apps', 'bench', 'e2e', 'packages', 'scripts', 'simulator'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('node_modules'))
    .map((path) => ({ path: `${folder}/${path}`, text: readFileSync(join(root, folder, path), 'utf8') })),
);

describe('the workspaces', () => {
  it('import one another by name, never by a relative path', () => {
    const leaving = allSources.flatMap(({ path, text }) =>
      [...text.matchAll(/(?:from|import|mock)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)]
        .map(([, specifier = '']) => posix.join(posix.dirname(path), specifier))
        .filter((target) => workspaceOf(target) !== workspaceOf(path))
        .map((target) => `${path} imports ${target}`),
    );
    expect(leaving).toEqual([]);
  });

  it('declare one another in their package.json', () => {
    const undeclared = allSources.flatMap(({ path, text }) => {
      const workspace = workspaceOf(path);
      if (workspace === 'tools') return []; // the repository itself links all of them
      const manifest = readFileSync(join(root, workspace, 'package.json'), 'utf8');
      return [...text.matchAll(/(?:from|import|mock)\s*\(?\s*'(@sparechange\/\w+)/g)]
        .filter(([, name]) => !manifest.includes(`"${name}"`))
        .map(([, name]) => `${path} imports ${name}`);
    });
    expect(undeclared).toEqual([]);
  });

  it('leave the applications to the tools and to tests', () => {
    const product = ['apps/server/src', 'apps/sandbox/src', 'apps/web/src', 'packages/contract', 'packages/domain'];
    const users = product
      .flatMap((folder) => sourcesIn(join(root, folder)).map((path) => join(folder, path)))
      .filter((path) => /'@sparechange\/(server|sandbox|web)\b/.test(readFileSync(join(root, path), 'utf8')));
    expect(users).toEqual([]);
  });

  it('share parts of the look alone between supporters and the console', () => {
    const users = sourcesIn(join(root, 'apps/console/src')).filter((path) =>
      /'@sparechange\/(?:server|sandbox|web\/(?!ui\/)|contract')/.test(
        readFileSync(join(root, 'apps/console/src', path), 'utf8'),
      ),
    );
    expect(users).toEqual([]);
  });
});

describe('the structure of the server', () => {
  it('names every folder and every file beside them', () => {
    const namesIn = (folder: string) => [...new Set(sourcesIn(join(server, folder)).map((path) => path.split('/')[0]))];
    expect(namesIn('').sort()).toEqual(rooms.flat().sort());
    expect(namesIn('features').sort()).toEqual(Object.keys(domains).sort());
    for (const [domain, features] of Object.entries(domains))
      expect(
        namesIn(`features/${domain}`)
          .filter((name) => name !== listOf(domain))
          .sort(),
      ).toEqual(features.flat().sort());
  });

  it('lets a folder import only from below', () => {
    expect(wrongImports(rooms, '')).toEqual([]);
  });

  it('lets a domain import only from those before it, along 31 arrows at most', () => {
    const names = Object.keys(domains);
    expect(names.length).toBeLessThanOrEqual(9);
    expect(
      wrongImports(
        names.map((name) => [name]),
        'features/',
      ),
    ).toEqual([]);
    expect(arrowsBetween('features/').length).toBeLessThanOrEqual(31);
  });

  it('draws the domains in this order in docs/architecture.md', () => {
    const [, tree = ''] =
      /## The way of a cent, as folders\n[\s\S]*?```\n([\s\S]*?)```/.exec(
        readFileSync(join(root, 'docs/architecture.md'), 'utf8'),
      ) ?? [];
    expect(tree.match(/^[a-z]+/gm)).toEqual(Object.keys(domains));
    for (const feature of Object.values(domains).flat(2)) expect(tree).toContain(feature);
  });

  it.each(Object.entries(domains))('lets a feature of %s import only from below', (domain, features) => {
    expect(wrongImports([...features, [listOf(domain)]], `features/${domain}/`)).toEqual([]);
  });

  it('lists what a domain adds to the programs where only the registry reads it', () => {
    const lists = Object.keys(domains).map((domain) => `features/${domain}/${listOf(domain)}`);
    const readers = sourcesIn(server).filter((path) => importsOf(path).some((name) => lists.includes(name)));
    expect(readers).toEqual(['registry.ts']);
  });

  it('does each task of the timetable in one feature', () => {
    const days = Array.from({ length: 14 }, (_, index) => addDays(isoDate('2026-11-23'), index));
    const known: Set<string | undefined> = new Set(days.flatMap((day) => timetableOf(day).map(({ task }) => task)));
    const texts = sourcesIn(join(server, 'features'))
      .filter((path) => path.endsWith('/tasks.ts'))
      .map((path) => readFileSync(join(server, 'features', path), 'utf8'));
    const done = texts.flatMap((text) => [...text.matchAll(/^ {2}'?([a-z-]+)'?: /gm)].map(([, name]) => name));
    expect(done.filter((name) => known.has(name)).sort()).toEqual([...known].sort());
  });

  it('keeps the names of providers out of features and jobs', () => {
    // Our endpoints of programs, and standards whose names are stored: the schema `direct_entry`, the sign-in `openid`.
    const inOurWords = ['direct-entry', 'openid', 'webhook-receivers'];
    const notNames = ['outgoing', 'registry.ts', ...inOurWords];
    const folders = new Set(sourcesIn(join(server, 'providers')).map((path) => path.split('/')[0] ?? ''));
    const names = ['firebase', ...[...folders].filter((name) => !notNames.includes(name))];
    expect(names).toEqual(expect.arrayContaining(['abn-lookup', 'basiq', 'smtp', 'zepto']));
    const anyName = new RegExp(names.map((name) => name.replaceAll('-', '[-_ ]?')).join('|'), 'i');
    const users = ['features', 'jobs']
      .flatMap((folder) => sourcesIn(join(server, folder)).map((path) => `${folder}/${path}`))
      .filter((path) => anyName.test(path) || anyName.test(readFileSync(join(server, path), 'utf8')));
    expect(users).toEqual([]);
  });

  it('keeps HTTP and the command line out of use cases', () => {
    const useCases = sourcesIn(join(server, 'features')).filter((path) => !/(^|[/-])routes\.ts$/.test(path));
    const surfaces = useCases.filter((path) =>
      importsOf(`features/${path}`).some((name) => /^(http|ops)\//.test(name)),
    );
    expect(surfaces).toEqual([]);
  });

  it('keeps what draws and prints by native code, or without bounds, out of the programs of the server', () => {
    const seen = new Set<string>();
    const loads: string[] = [];
    const follow = (path: string): void => {
      if (seen.has(path) || !existsSync(join(server, path))) return;
      seen.add(path);
      const text = readFileSync(join(server, path), 'utf8').replaceAll(/^(?:import|export) type [^;]*;$/gm, '');
      const loaded = text.matchAll(
        /(?:from |import |(?<!typeof )import\()'((?:@resvg\/|@myriaddreamin\/|sharp|canvas|svgo)[^']*)'/g,
      );
      loads.push(...[...loaded].map(([, name]) => `${path} imports ${name}`));
      importsIn(text, path).forEach(follow);
    };
    for (const program of ['main.ts', 'ops/main.ts']) follow(program);
    expect(seen.size).toBeGreaterThan(500);
    expect(loads).toEqual([]); // documents/own-process.ts starts what does
  });

  it('keeps the reference model of the rules that charge out of the product', () => {
    const sources = ['apps/server/src', 'apps/web/src', 'packages/contract/src', 'packages/domain/src'].flatMap(
      (folder) => sourcesIn(join(root, folder)).map((path) => `${folder}/${path}`),
    );
    const users = sources.filter(
      (path) =>
        !path.startsWith('packages/domain/src/model/') &&
        /from '(@sparechange\/domain|\.)\/model[/']/.test(readFileSync(join(root, path), 'utf8')),
    );
    expect(users).toEqual([]);
  });

  it('keeps the rules that the reference model checks out of it', () => {
    const folder = join(root, 'packages/domain/src/model');
    const shared = ['money.ts', 'days.ts']; // sums, and what a day is
    const taken = sourcesIn(folder).flatMap((path) => {
      const text = readFileSync(join(folder, path), 'utf8');
      return [...text.matchAll(/^import \{[^}]*\} from '\.\.\/([^']+)'/gm)].map(([, name = '']) => name);
    });
    expect(taken.length).toBeGreaterThan(0);
    expect(taken.filter((name) => !shared.includes(name))).toEqual([]);
  });
});
