import { join } from 'node:path';
import { tenantStyle } from '@sparechange/domain/tenant-colours';
import { shortClassNames } from '@sparechange/web/short-class-names.ts';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { leanDeclarations, wordsAtBuild } from './lean-declarations.ts';

/** The console's brand, drawn by the rules of a tenant's. */
const theme = { primary: '#134e4f', background: '#47b3b5', switch: '#134e4f', body: '#f7f9f9', secondary: '#47b3b5' };

const styleId = 'virtual:console-theme.css';

/** Writes the brand's colours, by day and by night, into the style sheet. */
const consoleTheme: Plugin = {
  name: 'console-theme',
  resolveId: (id) => (id === styleId ? id : undefined),
  load: (id) => (id === styleId ? tenantStyle({ theme }) : undefined),
};

/** Zod probes for eval by calling `new Function`, which the page's policy reports as a violation: jitless, it does not. */
const zodWithoutEval: Plugin = {
  name: 'zod-without-eval',
  transform: (code, id) => (/zod\/v4\/core\/core\.js$/.test(id) ? `${code}\nglobalConfig.jitless = true;` : undefined),
};

/** Few and larger files: what signing in starts with, and the rest by the pages that share it. A file costs half a kB more. */
const chunks = [
  { name: 'start', tags: ['$initial' as const], priority: 2 },
  { name: 'rules', test: /\/packages\/(contract|domain)\//, priority: 1 },
];

/** Shortens a part's name, which would list all its pages. */
const chunkFileNames = ({ name }: { name: string }) => `assets/${name.split('~')[0]}-[hash].js`;

/** Those of the supporters' app as well, whose parts the console uses. */
const scopedNames = shortClassNames(import.meta.dirname, join(import.meta.dirname, '../web'));

export default defineConfig(({ command }) => ({
  base: '/console/',
  plugins: [react(), consoleTheme, zodWithoutEval, wordsAtBuild, leanDeclarations],
  resolve: { dedupe: ['react', 'react-dom', 'react-router'] },
  ...(command === 'build' && { css: { modules: { generateScopedName: scopedNames } } }),
  build: {
    ...{ assetsInlineLimit: 0, target: 'es2022', cssCodeSplit: false },
    rolldownOptions: {
      output: { codeSplitting: { groups: chunks }, chunkFileNames },
      checks: { bundlerTimings: false },
    },
  },
}));
