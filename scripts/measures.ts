import { brokenCitations, isChecked, listPaths, outsideCitations, readSource, type SourceFile } from './citations.ts';
import {
  commentsOf,
  countLines,
  countPatterns,
  importsOf,
  inCircle,
  median,
  opensWithClause,
  proseOf,
  wordsOf,
} from './source-counts.ts';

interface Measure {
  name: string;
  value: string | number;
  goal: string;
  /** The offenders, shown with --list. */
  found?: string[];
}

const server = 'apps/server/src/';
const features = `${server}features/`;
const isTest = (path: string): boolean => /\.(test|spec|suite)\.tsx?$|\/testing\/|^e2e\//.test(path);
/** Returns whether a file runs in production. */
const isProduct = (path: string): boolean => /^(apps\/(?!sandbox\/)|packages\/)/.test(path) && !isTest(path);

const paths = listPaths();
const sources = paths.filter((path) => /\.tsx?$/.test(path)).map(readSource);
const product = sources.filter(({ path }) => isProduct(path));
const serverFiles = product.filter(({ path }) => path.startsWith(server));
const featureFiles = product.filter(({ path }) => path.startsWith(features));

/** Returns the arrows between a folder's direct subfolders, each with the files that draw it. */
function arrowsBelow(folder: string, files: SourceFile[]): Map<string, string[]> {
  const roomOf = (path: string) => (path.startsWith(folder) ? path.slice(folder.length).split('/') : []);
  const arrows = new Map<string, string[]>();
  for (const file of files) {
    const [from = '', inside] = roomOf(file.path);
    for (const target of inside === undefined ? [] : importsOf(file)) {
      const [to = '', within] = roomOf(target);
      if (within === undefined || to === from) continue;
      const arrow = `${from} -> ${to}`;
      arrows.set(arrow, [...(arrows.get(arrow) ?? []), file.path]);
    }
  }
  return arrows;
}

const circleOf = (arrows: Iterable<string>): string[] =>
  inCircle([...arrows].map((arrow) => arrow.split(' -> ') as [string, string]));

/** Returns the files that reach themselves by what they import. */
const filesInCircle = (files: SourceFile[]): string[] =>
  inCircle(files.flatMap((file) => importsOf(withoutTypes(file)).map((target) => [file.path, target] as const)));

/** Types alone are gone when a program runs. */
const withoutTypes = ({ path, text }: SourceFile): SourceFile => ({
  path,
  text: text.replaceAll(/^(?:import|export) type [^;]*;$/gm, ''),
});

/** Returns the places of product sources that a form of SQL stands in, tables' own definitions left out. */
const placesOf = (form: RegExp): string[] =>
  product
    .filter(({ path }) => path.startsWith(server))
    .flatMap(({ path, text }) => [...text.matchAll(form)].map(() => path));

const homes: Record<string, RegExp> = {
  'open pauses': /resumed_on is null/g,
  'accounts that can be debited': /unusable_since is null/g,
  'failed debits to ask for again': /represented_by is null/g,
};

/** The most files that each change should touch, in the order of the table in docs/architecture.md. */
const goalsOfChanges = ['2', '<= 5', '1', '1', '1'];

/** Returns files that changes touched in the recorded dry runs. */
function touched(): Measure[] {
  const [, table = ''] = readSource('docs/architecture.md').text.split('## What a change touches');
  const rows = [...(table.split('\n## ')[0] ?? '').matchAll(/^\| ([^|]+) \| (\d+) \| (.+) \|$/gm)];
  return rows.map(([, name = '', value = '', found = ''], at) => ({
    name: `files that ${name} touches`,
    value,
    goal: goalsOfChanges[at] ?? '-',
    found: [found],
  }));
}

function measures(): Measure[] {
  const checked = paths.filter(isChecked).map(readSource);
  const library = { paths, read: (path: string) => readSource(path).text };
  const citations = checked.flatMap((file) => [...outsideCitations(file), ...brokenCitations(file, library)]);
  const comments = sources.flatMap((file) => commentsOf(file).map((text) => ({ path: file.path, text })));
  const clauses = comments.filter(({ text }) => opensWithClause(text));
  const percent = comments.length === 0 ? 0 : (100 * clauses.length) / comments.length;
  const domains = arrowsBelow(features, featureFiles);
  const domainNames = new Set(featureFiles.map(({ path }) => path.slice(features.length).split('/')[0]));
  const featureCircles = [...domainNames].flatMap((domain) =>
    circleOf(arrowsBelow(`${features}${domain}/`, featureFiles).keys()),
  );
  const serverCircle = circleOf(arrowsBelow(server, serverFiles).keys());
  const fileCircle = filesInCircle(sources.filter(({ path }) => isProduct(path) || path.startsWith('simulator/')));
  const looseCents = product.flatMap(({ path, text }) =>
    [...text.matchAll(/\b(?:\w*Cents|cents)\??: number\b/g)].map(([field]) => `${path}: ${field}`),
  );
  const pages = paths.filter((path) => /^docs\/decisions\/(?!README)[\w-]+\.md$/.test(path)).map(readSource);
  const queue = serverFiles.filter(({ text }) => /\bpgboss\.\w/.test(text));
  const prose = checked
    .filter(({ path }) => /\.(tsx?|md|mjs)$/.test(path))
    .map((file) => ({ ...file, text: proseOf(file) }));
  const turns = Object.keys(countPatterns('')).map((name): Measure => {
    const found = prose.flatMap(({ path, text }) => Array<string>(countPatterns(text)[name] ?? 0).fill(path));
    return { name: `prose: ${name}`, value: found.length, goal: '0', found };
  });
  const all = sources.reduce((sum, { text }) => sum + countLines(text), 0);
  const ofProduct = product.reduce((sum, { text }) => sum + countLines(text), 0);
  const ofTests = sources.filter(({ path }) => isTest(path)).reduce((sum, { text }) => sum + countLines(text), 0);
  const patches = paths.filter((path) => /^scripts\/mend-|^patches\//.test(path));
  const swallowed = sources
    .filter(({ path, text }) => !path.startsWith('scripts/') && /'unhandledRejection'|onUnhandledError/.test(text))
    .map(({ path }) => path);
  const counted = (name: string, found: string[], goal: string): Measure => ({
    name,
    value: found.length,
    goal,
    found,
  });
  return [
    counted('domains', [...domainNames].map(String), '<= 9'),
    counted('arrows between domains', [...domains.keys()], '<= 31'),
    counted('domains in a circle', circleOf(domains.keys()), '0'),
    counted('features in a circle', featureCircles, '0'),
    counted('server folders in a circle', serverCircle, '0'),
    counted('files in a circle', fileCircle, '0'),
    ...Object.entries(homes).map(([name, form]) => counted(`places that ask for ${name}`, placesOf(form), '<= 3')),
    counted(
      "modules with statements on the queue's tables",
      queue.map(({ path }) => path),
      '1',
    ),
    ...touched(),
    counted(
      'pages of decisions',
      pages.map(({ path }) => path),
      '<= 25',
    ),
    { name: 'words of decisions', value: pages.reduce((sum, { text }) => sum + wordsOf(text), 0), goal: '<= 12000' },
    { name: 'lines of the changelog', value: countLines(readSource('CHANGELOG.md').text), goal: '<= 80' },
    counted('citations that do not resolve', citations, '0'),
    {
      name: 'doc comments opening with What, Who, Whether, How, Of, The same, So, Nobody',
      value: `${clauses.length} of ${comments.length} (${percent.toFixed(1)} %)`,
      goal: '< 2 %',
      found: clauses.map(({ path, text }) => `${path}: ${text.slice(0, 80)}`),
    },
    { name: 'median words a doc comment', value: median(comments.map(({ text }) => wordsOf(text))), goal: '<= 10' },
    ...turns,
    counted('cents in fields of type number', looseCents, '0'),
    counted('patched dependencies', patches, '0'),
    counted('places that swallow rejections', swallowed, '0'),
    { name: 'TypeScript lines, product', value: ofProduct, goal: '-' },
    { name: 'TypeScript lines, sandbox, simulation, bench, scripts', value: all - ofProduct - ofTests, goal: '-' },
    { name: 'TypeScript lines, tests', value: ofTests, goal: '-' },
  ];
}

if (process.argv[1] === import.meta.filename) {
  const isListed = process.argv.includes('--list');
  const table = measures();
  const widths = [Math.max(...table.map(({ name }) => name.length)), 22];
  const lines = table.flatMap(({ name, value, goal, found = [] }) => [
    `${name.padEnd(widths[0] ?? 0)}  ${String(value).padStart(widths[1] ?? 0)}  goal ${goal}`,
    ...(isListed ? found.map((each) => `    ${each}`) : []),
  ]);
  process.stdout.write(`${lines.join('\n')}\n`);
}
