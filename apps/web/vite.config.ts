import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { ChunkingContext } from 'rolldown';
import { defineConfig, type Plugin } from 'vite';
import { leanContract } from './lean-contract.ts';
import { serviceWorker } from './service-worker-plugin.ts';
import { shortClassNames } from './short-class-names.ts';

/** Requests the one font file with the page, so that it is there when the first words are painted. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => file.startsWith('assets/') && file.endsWith('.woff2'))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: true },
            injectTo: 'head' as const,
          })),
    },
  };
}

/** Gives the pages under /pages, not bundled, the same font. */
function fontForPages(): Plugin {
  return {
    name: 'font-for-pages',
    generateBundle() {
      const source = readFileSync(new URL('src/ui/fonts/inter.woff2', import.meta.url));
      this.emitFile({ type: 'asset', fileName: 'pages/inter.woff2', source });
    },
  };
}

/** The support page of tenants that show nothing of savings. */
function supportWithoutSavings(): Plugin {
  return {
    name: 'support-without-savings',
    generateBundle() {
      const page = readFileSync(new URL('public/pages/faq.html', import.meta.url), 'utf8');
      const source = page.replace(/ *<!-- savings -->[\s\S]*?<!-- end of savings -->\n/g, '');
      this.emitFile({ type: 'asset', fileName: 'pages/faq-without-savings.html', source });
    },
  };
}

/** The server's paths under Vite's hot reload (`npm run dev`). */
const serverPaths = [
  '/api',
  '/config.json',
  '/tenants',
  '/vitals',
  '/identitytoolkit.googleapis.com',
  '/securetoken.googleapis.com',
  '/.well-known',
  '/webhooks',
  '/pages',
];

/** The Host header stays the browser's: by it the server knows the tenant and the page's own origin. */
function proxyTo(server: string | undefined) {
  if (!server) return {};
  return Object.fromEntries(serverPaths.map((path) => [path, { target: server, changeOrigin: false }]));
}

/**
 * Zod probes for eval by calling `new Function`, which a strict Content-Security-Policy reports as a violation: jitless,
 * it does not.
 */
function zodWithoutEval(): Plugin {
  return {
    name: 'zod-without-eval',
    transform: (code, id) =>
      /zod\/v4\/core\/core\.js$/.test(id) ? `${code}\nglobalConfig.jitless = true;` : undefined,
  };
}

const libraries = (...names: string[]) => new RegExp(`node_modules/(${names.join('|')})/`);

const sourceFile = (path: string) => fileURLToPath(new URL(`src/${path}`, import.meta.url));

/** Modules of a dashboard's first view, without those loaded on a click. */
const dashboardRoots = [
  'screens/shell.tsx',
  'screens/dashboard.tsx',
  'features/history/months-card.tsx',
  'features/roundups/projection.tsx',
  'features/savings/giving-and-saving.tsx',
].map(sourceFile);

/** Further modules that a dashboard without a network needs. */
const offlineRoots = [
  'screens/history.tsx',
  'screens/logout.tsx',
  'features/tenants/side-menu.tsx',
  'api/firebase.ts',
].map(sourceFile);

type ModuleGraph = Pick<ChunkingContext, 'getModuleInfo'>;

/** Returns our modules imported with these, without those loaded later. Throws for a root that is no module. */
function importedWith(roots: readonly string[], graph: ModuleGraph): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = [...roots];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (found.has(id) || !id.includes('/web/src/')) continue;
    const info = graph.getModuleInfo(id);
    if (!info) throw new Error(`${id} is to be in the dashboard's file and does not exist.`);
    found.add(id);
    queue.push(...info.importedIds);
  }
  return found;
}

let ofDashboard: ReadonlySet<string> | undefined;

function dashboardChunk(id: string, graph: ModuleGraph): string | null {
  ofDashboard ??= importedWith(dashboardRoots, graph);
  return ofDashboard.has(id) ? 'dashboard' : null;
}

/** Modules of the contract and the rules with schemas, or of screens behind the first ones. */
const laterRules =
  /\/(?:contract\/src\/(?:[\w-]+-form|tenants|day|written-numbers|offboarding|handoff|receipts|club-requests|direct-debit-request|own-renewal|accounts)|domain\/src\/(?:abn|csv|description|folded|offboarding|receipt-period))\.ts$/;
const isOfCalls = (id: string) => /\/packages\/(domain|contract)\//.test(id) && !laterRules.test(id);

/**
 * Few and larger files, since on a phone a request costs more than its bytes: the login screen's start, the libraries,
 * the dashboard's first view, forms and dialogs, and the rest by the screens that share it.
 */
const chunks = [
  { name: 'start', tags: ['$initial' as const], priority: 6 },
  {
    name: 'identity',
    test: /node_modules\/(@firebase\/(auth|app|util|component|logger)|idb)\/|web\/src\/api\/(firebase|refresh-timer)/,
    priority: 5,
  },
  { name: 'schemas', test: /node_modules\/zod\/|\/contract\/src\/text\.ts/, priority: 5 },
  { name: 'forms', test: libraries('react-hook-form'), priority: 5 },
  { name: 'calls', test: (id: string) => libraries('@tanstack').test(id) || isOfCalls(id), priority: 4 },
  { name: 'rules', test: /node_modules\/@hookform\/|\/contract\/src\/[\w-]+-form\.ts/, priority: 3 },
  { name: dashboardChunk, debugName: 'dashboard', priority: 2 },
  {
    name: 'part',
    test: /\/(web|domain|contract)\/src\//,
    entriesAware: true,
    entriesAwareMergeThreshold: 5_000,
    priority: 1,
  },
];

/** Shortens a part's name, which would list all its screens. */
const chunkFileNames = ({ name }: { name: string }) => `assets/${name.split('~')[0]}-[hash].js`;

/** The landing screens as the server renders them (src/server.tsx). */
const serverBuild = {
  outDir: 'dist/server',
  emptyOutDir: true,
  copyPublicDir: false,
  target: 'node24',
  minify: false,
  rolldownOptions: {
    output: { entryFileNames: 'page.js', chunkFileNames: '[name]-[hash].js' },
    // The server renders immediately what a browser loads later; how long plugins take is nobody's concern at a start.
    checks: { ineffectiveDynamicImport: false, bundlerTimings: false },
  },
} as const;

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [
    react(),
    zodWithoutEval(),
    leanContract,
    ...(isSsrBuild
      ? []
      : [preloadFont(), fontForPages(), supportWithoutSavings(), serviceWorker([...dashboardRoots, ...offlineRoots])]),
  ],
  // The server puts a fresh nonce of the Content-Security-Policy in place of this word, in every answer.
  html: { cspNonce: '__NONCE__' },
  server: { proxy: proxyTo(process.env.SERVER_URL) },
  ...(command === 'build' && { css: { modules: { generateScopedName: shortClassNames(import.meta.dirname) } } }),
  ssr: { noExternal: true },
  ...(isSsrBuild ? { define: { 'process.env.NODE_ENV': '"production"' } } : {}),
  build: isSsrBuild
    ? serverBuild
    : {
        manifest: true,
        assetsInlineLimit: 0,
        target: 'es2022',
        cssCodeSplit: false, // one CSS file costs less than a second request
        rolldownOptions: {
          output: { codeSplitting: { groups: chunks }, chunkFileNames },
          checks: { bundlerTimings: false },
        },
      },
}));
