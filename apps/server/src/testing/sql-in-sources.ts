import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const server = fileURLToPath(new URL('..', import.meta.url));

/** A statement in a source, with the parts that its placeholders stand for. */
export interface SourceStatement {
  file: string;
  line: number;
  text: string;
}

interface Template {
  start: number;
  end: number;
  isTagged: boolean;
  /** Its text; a placeholder is written as `$`. */
  text: string;
  /** Code between the braces of its placeholders. */
  placeholders: string[];
  inner: Template[];
}

/** A declaration of a source: a name and its extent. */
interface Declaration {
  name: string;
  start: number;
  end: number;
}

interface Source {
  file: string;
  code: string;
  templates: Template[];
  declarations: Declaration[];
  /** Files by imported name. */
  imports: Map<string, string>;
}

/** Returns the end of a quoted text or comment that begins here, or the same place. */
function endOfSkipped(code: string, at: number): number {
  const two = code.slice(at, at + 2);
  if (two === '//') return code.indexOf('\n', at);
  if (two === '/*') return code.indexOf('*/', at) + 2;
  if (code[at] === "'" || code[at] === '"')
    return at + (/^(['"])(?:\\.|(?!\1)[^\\\n])*\1/.exec(code.slice(at, at + 2_000))?.[0].length ?? 0);
  // A slash after a bracket, comma, operator or `=>` begins a pattern.
  if (code[at] === '/' && /[(,=:[!&|?{};>]\s*$/.test(code.slice(Math.max(0, at - 20), at)))
    return (
      at + (/^\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/[a-z]*/.exec(code.slice(at, at + 2_000))?.[0].length ?? 0)
    );
  return at;
}

/** Reads the templates of code until a closing brace that is not its own. */
function readCode(code: string, from: number): { templates: Template[]; end: number } {
  const templates: Template[] = [];
  let depth = 0;
  for (let at = from; at < code.length; at += 1) {
    const skipped = endOfSkipped(code, at);
    if (skipped > at) {
      at = skipped - 1;
    } else if (code[at] === '`') {
      const template = readTemplate(code, at);
      templates.push(template);
      at = template.end - 1;
    } else if (code[at] === '{') depth += 1;
    else if (code[at] === '}' && --depth < 0) return { templates, end: at };
  }
  return { templates, end: code.length };
}

function readTemplate(code: string, start: number): Template {
  const template: Template = {
    start,
    end: start,
    isTagged: /[\w>)]$/.test(code.slice(0, start)),
    text: '',
    placeholders: [],
    inner: [],
  };
  let at = start + 1;
  while (code[at] !== '`') {
    if (at >= code.length)
      throw new Error(`The template that begins with ${code.slice(start, start + 40)} has no end.`);
    if (code.startsWith('${', at)) {
      const { templates, end } = readCode(code, at + 2);
      template.placeholders.push(code.slice(at + 2, end));
      template.inner.push(...templates);
      template.text += '$';
      at = end + 1;
    } else {
      template.text += code[at];
      at += code[at] === '\\' ? 2 : 1;
    }
  }
  return { ...template, end: at + 1 };
}

/** Finds declarations at any depth; one ends before the next line that is indented no deeper and opens something. */
function declarationsOf(code: string): Declaration[] {
  return [...code.matchAll(/^( *)(?:export )?(?:async )?(?:const|function\*?) (\w+)/gm)].map((match) => {
    const indent = (match[1] ?? '').length;
    const rest = code.slice(match.index + match[0].length);
    const next = new RegExp(`\\n {0,${indent}}(?=[\\w/])`).exec(rest);
    return {
      name: match[2] ?? '',
      start: match.index,
      end: match.index + match[0].length + (next?.index ?? rest.length),
    };
  });
}

function readSource(file: string): Source {
  const code = readFileSync(join(server, file), 'utf8');
  const imports = [...code.matchAll(/import \{([^}]*)\} from '(#|\.{1,2}\/)([^']+)'/g)].flatMap(
    ([, names = '', start = '', path = '']) =>
      names
        .split(',')
        .map((name): [string, string] => [
          name.replace(/^\s*type /, '').trim(),
          start === '#' ? path : posix.join(posix.dirname(file), start, path),
        ]),
  );
  const { templates } = readCode(code, 0);
  return { file, code, templates, declarations: declarationsOf(code), imports: new Map(imports) };
}

const sources = new Map(
  readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.(test|suite))\.ts$/.test(path) && !path.split('/').includes('testing'))
    .map((path) => [path, readSource(path)] as const),
);

/** Returns the text of a template with all parts that its placeholders name, each once. */
function wholeText(source: Source, template: Template, known: Set<string>): string {
  const names = template.placeholders.flatMap((code) =>
    [...code.matchAll(/(?<![.\w])([a-zA-Z]\w*)/g)].map(([name]) => name),
  );
  const named = names.map((name) => partText(source, name, template, known));
  const inner = template.inner.map((part) => wholeText(source, part, known));
  return [template.text, ...inner, ...named].filter(Boolean).join('\n');
}

/** Returns the texts in the declaration of a name, of this source or an imported one. */
function partText(source: Source, name: string, user: Template, known: Set<string>): string {
  const imported = sources.get(source.imports.get(name) ?? '');
  const home = imported ?? source;
  const declaration = home.declarations.findLast(
    ({ name: own, start, end }) =>
      own === name && (imported || start < user.start || end < user.start || !/^ /.test(home.code.slice(start))),
  );
  const key = `${home.file} ${name}`;
  if (!declaration || known.has(key)) return '';
  if (user.start > declaration.start && user.end < declaration.end && home === source) return '';
  known.add(key);
  return home.templates
    .filter(({ start, end, isTagged }) => isTagged && start > declaration.start && end <= declaration.end)
    .map((part) => wholeText(home, part, known))
    .join('\n');
}

/** Lists every tagged statement of the server's sources; parts are listed separately as well. */
export const statementsInSources = (): SourceStatement[] =>
  [...sources.values()].flatMap((source) =>
    source.templates
      .filter(({ isTagged }) => isTagged)
      .map((template) => ({
        file: source.file,
        line: source.code.slice(0, template.start).split('\n').length,
        text: wholeText(source, template, new Set()),
      })),
  );

/** Returns the text between a template's placeholders, as sent. */
const chunksOf = ({ text }: Template): string[] => text.replaceAll(/\\([\\`])/g, '$1').split('$');

const sentTemplates = [...sources.values()]
  .flatMap((source) =>
    source.templates
      .filter(({ isTagged }) => isTagged)
      .map((template) => ({
        where: `${source.file}:${source.code.slice(0, template.start).split('\n').length}`,
        chunks: chunksOf(template),
      })),
  )
  .filter(({ chunks }) => chunks.join('').trim().length > 20) // others may be part of anything
  .toSorted((one, other) => other.chunks.join('').length - one.chunks.join('').length);

function hasChunks(text: string, chunks: string[]): boolean {
  const [first = '', ...others] = chunks;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const chunk of others) {
    const found = text.indexOf(chunk, at);
    if (found < 0) return false;
    at = found + chunk.length;
  }
  return text.endsWith(chunks.at(-1) ?? '');
}

/** Finds the file and line of the source that sends a statement, by the template that has most of its text; undefined for one of a test. */
export const findSender = (text: string): string | undefined =>
  sentTemplates.find(({ chunks }) => hasChunks(text, chunks))?.where;
