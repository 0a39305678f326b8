import { globSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Names a class of a CSS module, in one of these apps' folders, by the numbers of its file and of its place in the file. A
 * name that does not grow with the file's saves 2 kB of a dashboard. Two builds of the same folders come to the same names.
 */
export function shortClassNames(...folders: string[]) {
  const sheets = folders.flatMap((cwd) =>
    globSync('src/**/*.module.css', { cwd })
      .toSorted()
      .map((path) => join(cwd, path)),
  );
  return (name: string, file: string, css: string): string => {
    const sheet = sheets.indexOf(file);
    const names = new Set(Array.from(css.matchAll(/(?:\.|@keyframes\s+)([a-z][\w-]*)/gi), ([, found]) => found));
    const place = [...names].indexOf(name);
    if (sheet < 0 || place < 0) throw new Error(`${file} has no class ${name} that the build could find.`);
    return `${inLetters(sheet)}${place}`;
  };
}

/** Writes a number in letters, so that the place after it begins where they end. */
const inLetters = (number: number): string =>
  (number < 26 ? '' : inLetters(Math.floor(number / 26) - 1)) + String.fromCharCode(97 + (number % 26));
