import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import { withoutFormatControls } from '@sparechange/domain';

const { resolve } = createRequire(import.meta.url);
const inter = (name: string) => readFileSync(resolve(`@expo-google-fonts/inter/${name}/Inter_${name}.ttf`));
const folder = fileURLToPath(new URL('./typst', import.meta.url));

const compiler = NodeCompiler.create({
  workspace: folder,
  fontArgs: [{ fontBlobs: [inter('400Regular'), inter('600SemiBold')] }],
});

/** A page to lay out. */
export interface Page {
  /** Program of the folder typst that lays it out. */
  program: 'document' | 'poster';
  /** Words and numbers. */
  words: Record<string, unknown>;
  /** SVGs that tenants may have, by the name of their place. */
  pictures: Record<string, string | undefined>;
}

/** Returns what the compiler is given: words and pictures are data, so that nothing in them is read as a command. */
const given = ({ program, words, pictures }: Page) => ({
  mainFilePath: `${folder}/${program}.typ`,
  inputs: { words: JSON.stringify(words, printable), pictures: JSON.stringify(pictures, inOurFont) },
});

/**
 * Returns the bytes of a tagged PDF (PDF/UA-1). Throws an Error without the words of the page where its program refuses them.
 */
export function writePdf(page: Page): Uint8Array {
  try {
    return compiler.pdf(given(page), { pdfStandard: 'ua-1' });
  } catch (error) {
    const problems = problemsOf(error);
    if (!problems.every((problem) => problem.startsWith(aboutLetters))) throw new Error(problems[0]);
    return compiler.pdf(given(page), { pdfStandard: '1.7' });
  } finally {
    compiler.evictCache(0);
  }
}

/** Returns a page as SVG, in which letters are shapes. Throws as writePdf does. */
export function drawSvg(page: Page): string {
  try {
    return compiler.plainSvg(given(page));
  } catch (error) {
    throw new Error(problemsOf(error)[0]);
  } finally {
    compiler.evictCache(0);
  }
}

/** PDF/UA-1 asks for the shape of every letter, and some names have letters of none of our fonts: such a document claims nothing. */
const aboutLetters = 'PDF/UA-1 error: the text ';

/** Returns what the compiler says, without the words that it names; it says it in one of two ways. */
function problemsOf(error: unknown): string[] {
  const { message, code } = error as NodeJS.ErrnoException;
  const said = [...message.matchAll(/message: "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text);
  return (said.length === 0 ? [code ?? message] : said).map((text) => text.replace(/`.*`/s, '…'));
}

const printable = (_name: string, value: unknown) =>
  typeof value === 'string' ? withoutFormatControls(value).toWellFormed() : value;

/** Lets the words of a drawing have our font on every machine. */
const inOurFont = (_name: string, value: unknown) =>
  typeof value === 'string'
    ? value.replaceAll(/\sfont-family\s*=\s*("[^"]*"|'[^']*')/g, '').replace(/<svg(?=\s)/, '<svg font-family="Inter"')
    : value;
