import { brokenCitations, isChecked, listPaths, outsideCitations, readSource, type SourceFile } from './citations.ts';
import {
  commentsOf,
  countLines,
  hasPrivateName,
  hasPrivateSentence,
  importsOf,
  inCircle,
  isDecision,
  median,
  opensWithClause,
  privateProse,
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

/** Returns a folder's direct subfolders that import in a circle. */
function circleBelow(folder: string, files: SourceFile[]): string[] {
  const roomOf = (path: string) => (path.startsWith(folder) ? path.slice(folder.length).split('/') : []);
  const arrows = files.flatMap((file) => {
    const [from = '', inside] = roomOf(file.path);
    if (inside === undefined) return [];
    return importsOf(file).flatMap((target) => {
      const [to = '', within] = roomOf(target);
      return within !== undefined && to !== from ? [[from, to] as const] : [];
    });
  });
  return inCircle(arrows);
}

function measures(): Measure[] {
  const checked = paths.filter(isChecked).map(readSource);
  const library = { paths, read: (path: string) => readSource(path).text };
  const citations = checked.flatMap((file) => [...outsideCitations(file), ...brokenCitations(file, library)]);
  const comments = sources.flatMap((file) => commentsOf(file).map((text) => ({ path: file.path, text })));
  const clauses = comments.filter(({ text }) => opensWithClause(text));
  const percent = comments.length === 0 ? 0 : (100 * clauses.length) / comments.length;
  const featureCircle = circleBelow(features, featureFiles);
  const serverCircle = circleBelow(server, serverFiles);
  const overHttp = featureFiles.filter(
    (file) => !/routes\.ts$/.test(file.path) && importsOf(file).some((path) => path.startsWith(`${server}http/`)),
  );
  const privately = sources.filter((file) => hasPrivateName(file) || hasPrivateSentence(file)).map(({ path }) => path);
  const prose = sources.flatMap((file) => privateProse(file).map((text) => `${file.path}: ${text.slice(0, 80)}`));
  const looseCents = product.flatMap(({ path, text }) =>
    [...text.matchAll(/\b(?:\w*Cents|cents)\??: number\b/g)].map(([field]) => `${path}: ${field}`),
  );
  const short = serverFiles.filter(({ text }) => countLines(text) <= 25).map(({ path }) => path);
  const pages = paths
    .filter((path) => /^docs\/decisions\/\d{4}-.*\.md$/.test(path))
    .map(readSource)
    .filter((page) => !isDecision(page));
  const all = sources.reduce((sum, { text }) => sum + countLines(text), 0);
  const ofProduct = product.reduce((sum, { text }) => sum + countLines(text), 0);
  const ofTests = sources.filter(({ path }) => isTest(path)).reduce((sum, { text }) => sum + countLines(text), 0);
  const patches = paths.filter((path) => /^scripts\/mend-|^patches\//.test(path));
  const swallowed = sources
    .filter(({ path, text }) => !path.startsWith('scripts/') && /'unhandledRejection'|onUnhandledError/.test(text))
    .map(({ path }) => path);
  return [
    {
      name: 'decisions without a status and date, or above 250 words',
      value: pages.length,
      goal: '0',
      found: pages.map(({ path }) => path),
    },
    { name: 'features in a circle', value: featureCircle.length, goal: '0', found: featureCircle },
    { name: 'server folders in a circle', value: serverCircle.length, goal: '0', found: serverCircle },
    {
      name: 'feature files importing http/, routes apart',
      value: overHttp.length,
      goal: '0',
      found: overHttp.map(({ path }) => path),
    },
    { name: 'citations that do not resolve', value: citations.length, goal: '0', found: citations },
    {
      name: 'doc comments opening with What, Who, Whether, How, Of, The same, So, Nobody',
      value: `${clauses.length} of ${comments.length} (${percent.toFixed(1)} %)`,
      goal: '< 2 %',
      found: clauses.map(({ path, text }) => `${path}: ${text.slice(0, 80)}`),
    },
    { name: 'median words a doc comment', value: median(comments.map(({ text }) => wordsOf(text))), goal: '<= 10' },
    {
      name: 'files with private words in names, log lines or help',
      value: privately.length,
      goal: '0',
      found: privately,
    },
    { name: 'comments and test titles with private words', value: prose.length, goal: '0', found: prose },
    { name: 'cents in fields of type number', value: looseCents.length, goal: '0', found: looseCents },
    { name: 'server files of 25 lines or fewer', value: short.length, goal: '< 40', found: short },
    { name: 'TypeScript lines, product', value: ofProduct, goal: '<= 23000' },
    { name: 'TypeScript lines, sandbox, simulation, bench, scripts', value: all - ofProduct - ofTests, goal: '-' },
    { name: 'TypeScript lines, tests', value: ofTests, goal: '-' },
    { name: 'TypeScript lines, all', value: all, goal: '<= 55000' },
    { name: 'patched dependencies', value: patches.length, goal: '0', found: patches },
    { name: 'places that swallow rejections', value: swallowed.length, goal: '0', found: swallowed },
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
