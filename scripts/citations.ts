import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

export interface SourceFile {
  path: string;
  text: string;
}

/** Lists the repository's files, uncommitted ones included, ignored ones not. */
export function listPaths(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root });
  return [...new Set(listed.toString().split('\0'))].filter((path) => path !== '' && existsSync(join(root, path)));
}

export const readSource = (path: string): SourceFile => ({ path, text: readFileSync(join(root, path), 'utf8') });

/** Returns whether citations are checked: code, documents, nothing generated. */
export const isChecked = (path: string): boolean =>
  /\.(ts|tsx|mjs|sql|md|css|json|yml|sh)$/.test(path) &&
  !/package-lock\.json$/.test(path) &&
  !/^scripts\/citations(\.test)?\.ts$/.test(path);

/** Documents that a reader of the clone does not have; sections of an Act of Parliament are public. */
const outside =
  /\bdesign (?:section|\d)|\bdesign\.md\b|\(design\b|\bspec(?:ification)?'?s? sections?\b|\bspec\.md\b|\bfacts\/[a-z-]+\.md|\(facts (?:of|\d)|\bfinding [A-Z]?\d|\bissue \d+|(?<!-)\bsections? \d+(?!\d*-)\b/gi;

/** Finds citations of outside documents, each with its line. */
export function outsideCitations({ path, text }: SourceFile): string[] {
  return text
    .split('\n')
    .flatMap((line, at) => [...line.matchAll(outside)].map(([cited]) => `${path}:${at + 1} cites "${cited}"`));
}

/** Returns the anchor that GitHub gives a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

/** Lists the anchors of a document's headings, numbering equal ones. */
export function anchorsOf(markdown: string): Set<string> {
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutFences(markdown).matchAll(/^#{1,6} (.+)$/gm)) {
    const anchor = anchorOf(heading);
    const times = seen.get(anchor) ?? 0;
    anchors.add(times === 0 ? anchor : `${anchor}-${times}`);
    seen.set(anchor, times + 1);
  }
  return anchors;
}

const withoutFences = (markdown: string): string => markdown.replace(/^```[\s\S]*?^```/gm, '');

/** The repository as checked, which a test can make up. */
export interface Library {
  paths: readonly string[];
  read(path: string): string;
}

function resolves({ paths, read }: Library, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const plain = path.replace(/\/$/, '');
  const found = paths.find((each) => each === plain) ?? paths.find((each) => each.startsWith(`${plain}/`));
  if (!found) return isFormerDecision(plain, read);
  return !anchor || (found === plain && anchorsOf(read(found)).has(anchor));
}

/** True for a decision by its former number, by which migrations cite it for ever, while the index says where it is now. */
function isFormerDecision(path: string, read: Library['read']): boolean {
  const [, number] = /^docs\/decisions\/(\d{4})\b/.exec(path) ?? [];
  return number !== undefined && read('docs/decisions/README.md').includes(`\n| ${number} | [`);
}

/** Finds file names in a document, in quotes and without their folder, that no file of the repository has. */
function unknownFiles(text: string, { paths }: Library): string[] {
  const names = [...text.matchAll(/`((?:features\/)?[\w-]+(?:\.[\w-]+)*\.(?:ts|tsx|mjs|sql))`/g)].map(
    ([, name = '']) => name,
  );
  return names.filter((name) => !paths.some((path) => path.endsWith(`/${name}`)));
}

const cited = /\bdocs\/(?:[\w-]+\/)*[\w-]+(?:\.\w+)?(?:#[\w-]+)?/g;
const rooms = 'apps|packages|docs|e2e|simulate|bench|scripts|tenants|deploy';
const quoted = new RegExp(`\`((?:${rooms})/[\\w./-]*[\\w/-])(#[\\w-]+)?\``, 'g');
const linked = /\]\(([^)\s]+)\)/g;

/** Finds paths into docs/, in a document also links and quoted paths, that do not resolve. */
export function brokenCitations(file: SourceFile, library: Library): string[] {
  const isDocument = file.path.endsWith('.md');
  const text = isDocument ? withoutFences(file.text) : file.text;
  const targets = [...text.matchAll(cited)].map(([target]) => target);
  if (isDocument) {
    targets.push(...[...text.matchAll(quoted)].map(([, path = '', anchor = '']) => `${path}${anchor}`));
    for (const [, link = ''] of text.matchAll(linked)) {
      if (/^[a-z]+:/.test(link)) continue;
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? file.path : posix.join(posix.dirname(file.path), path);
      targets.push(anchor === undefined ? target : `${target}#${anchor}`);
    }
  }
  const broken = targets.filter((target) => !resolves(library, target));
  if (isDocument) broken.push(...unknownFiles(text, library));
  return [...new Set(broken)].map((target) => `${file.path} cites ${target}`);
}
