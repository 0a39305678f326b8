// Builds the parts that are named, in one process, as loading Vite takes as long as some of them.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const rootOf = (app) => join(fileURLToPath(new URL('..', import.meta.url)), 'apps', app);
const part = (app, options = {}) => build({ root: rootOf(app), logLevel: 'warn', build: options });

const parts = {
  screens: () => Promise.all([part('console'), part('web').then(() => part('web', { ssr: 'src/server.tsx' }))]), // empties the folder first
  server: () => part('server'),
};

await Promise.all(process.argv.slice(2).map((name) => parts[name]()));
