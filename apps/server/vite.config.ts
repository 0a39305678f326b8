import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Lets modules find files and programs beside their source. */
const besideItsSource: Plugin = {
  name: 'beside-its-source',
  transform(code, id) {
    if (!id.startsWith(root) || id.includes('/node_modules/') || !code.includes('import.meta.url')) return;
    const source = JSON.stringify(`../../../${relative(root, id)}`);
    return { code: code.replaceAll('import.meta.url', `new URL(${source}, import.meta.url).href`), map: null };
  },
};

/** These stay packages: they have native code, read files beside their own, or start threads. */
const packages = ['@expo-google-fonts/inter', '@node-rs/argon2', '@resvg/resvg-js', 'pdfmake', 'pg-native', 'pino'];

/** Bundles the server and its operator's commands: read as a thousand files they start half as fast. */
export default defineConfig({
  plugins: [besideItsSource],
  ssr: { noExternal: true, external: packages },
  build: {
    ssr: true,
    target: 'node24',
    minify: false, // the stack of an error is read
    rolldownOptions: {
      input: { main: `${root}apps/server/src/main.ts`, ops: `${root}apps/server/src/ops/main.ts` },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', keepNames: true },
      checks: { bundlerTimings: false },
    },
  },
});
