import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The programs, each a file of its own. */
const programs = {
  main: `${root}apps/server/src/main.ts`,
  ops: `${root}apps/server/src/ops/main.ts`,
  sandbox: `${root}apps/sandbox/src/main.ts`,
};

/** Lets modules find bundled programs beside the bundle, and other files and programs beside their source. */
const besideItsSource: Plugin = {
  name: 'beside-its-source',
  transform(code, id) {
    if (!id.startsWith(root) || id.includes('/node_modules/') || !code.includes('import.meta.url')) return;
    const source = `new URL('../../../${relative(root, id)}', import.meta.url).href`;
    const beside = (given: string, path?: string) => {
      const program = path && Object.entries(programs).find(([, file]) => file === resolve(dirname(id), path));
      return program ? `new URL('./${program[0]}.js', import.meta.url)` : given.replace('import.meta.url', source);
    };
    const wanted = /new URL\(["']([^"']+)["'], import\.meta\.url\)|import\.meta\.url/g;
    return { code: code.replaceAll(wanted, beside), map: null };
  },
};

/** These stay packages: they have native code, read files beside their own, or start threads. */
const packages = [
  '@expo-google-fonts/inter',
  '@myriaddreamin/typst-ts-node-compiler',
  '@node-rs/argon2',
  '@resvg/resvg-js',
  'pg-native',
  'pino',
];

/** Escapes what is not ASCII: V8 keeps the source of a file with one other letter in twice the memory. */
const asciiAlone = { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } };

/** Bundles the server, its operator's commands and the sandbox: read as a thousand files they start half as fast. */
export default defineConfig({
  plugins: [besideItsSource],
  ssr: { noExternal: true, external: packages },
  build: {
    ssr: true,
    target: 'node24',
    minify: false, // the stack of an error is read
    rolldownOptions: {
      input: programs,
      output: {
        ...{ entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', keepNames: true },
        ...{ comments: false, minify: asciiAlone },
      },
      checks: { bundlerTimings: false },
    },
  },
});
