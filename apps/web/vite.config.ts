import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { precompress } from './precompress.ts';

/** The one font file is asked for with the page, so that it is there when the first words are painted. */
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

/** The plain pages under /pages are not bundled; they find the same font beside them. */
function fontForPages(): Plugin {
  return {
    name: 'font-for-pages',
    generateBundle() {
      const font = import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');
      this.emitFile({ type: 'asset', fileName: 'pages/inter.woff2', source: readFileSync(fileURLToPath(font)) });
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

/** What the server answers while Vite serves the app with hot reload (`npm run dev`). */
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
 * Zod compiles schemas with `new Function` where it may and asks by trying, which a strict Content-Security-Policy
 * reports as an attack: here it never asks.
 */
function zodWithoutEval(): Plugin {
  return {
    name: 'zod-without-eval',
    transform: (code, id) =>
      /zod\/v4\/core\/core\.js$/.test(id) ? `${code}\nglobalConfig.jitless = true;` : undefined,
  };
}

const libraries = (...names: string[]) => new RegExp(`node_modules/(${names.join('|')})/`);

const ours = (...paths: string[]) => new RegExp(`/(web/src/(${paths.join('|')})|packages/)`);

/**
 * Few and larger files, since on a phone every request costs more than the bytes it brings: what the login screen starts
 * with, the libraries and parts that every later screen needs, what only forms need, and the rest by who shares it.
 */
const chunks = [
  { name: 'start', tags: ['$initial' as const], priority: 6 },
  { name: 'identity', test: libraries('firebase/auth', '@firebase/auth'), priority: 5 },
  { name: 'look', test: libraries('@mui', '@emotion'), priority: 4 },
  { name: 'calls', test: libraries('zod', '@tanstack'), priority: 4 },
  {
    name: 'base',
    test: ours('ui/', 'tenant/', 'api/(call|query)', 'messages', 'features/identity/caller'),
    priority: 3,
  },
  { name: 'forms', test: libraries('react-hook-form', '@hookform'), priority: 2 },
  { name: 'part', test: /\/web\/src\//, entriesAware: true, entriesAwareMergeThreshold: 5_000, priority: 1 },
];

/** By itself a part is named after every screen that shares it. */
const chunkFileNames = ({ name }: { name: string }) => `assets/${name.split('~')[0]}-[hash].js`;

export default defineConfig({
  plugins: [react(), zodWithoutEval(), preloadFont(), fontForPages(), supportWithoutSavings(), precompress()],
  // The server puts a fresh nonce of the Content-Security-Policy in place of this word, in every answer.
  html: { cspNonce: '__NONCE__' },
  server: { proxy: proxyTo(process.env.SERVER_URL) },
  build: {
    manifest: true,
    assetsInlineLimit: 0,
    target: 'es2022',
    cssCodeSplit: false, // all of it is smaller than a request is long
    rolldownOptions: { output: { codeSplitting: { groups: chunks }, chunkFileNames } },
  },
  test: {
    name: 'screen',
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/testing/setup.ts'],
    testTimeout: 240_000,
    passWithNoTests: true,
  },
});
