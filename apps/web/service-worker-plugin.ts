import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** Writes /sw.js (service-worker.js) with the files that the screens of these modules start with. */
export function serviceWorker(roots: readonly string[]): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const wanted = new Set<string>();
        const add = (fileName: string): void => {
          const chunk = bundle[fileName];
          if (wanted.has(fileName) || chunk?.type !== 'chunk') return;
          wanted.add(fileName);
          chunk.imports.forEach(add);
        };
        for (const chunk of Object.values(bundle))
          if (chunk.type === 'chunk' && (chunk.isEntry || chunk.moduleIds.some((id) => roots.includes(id))))
            add(chunk.fileName);
        const look = Object.keys(bundle).filter((name) => /^assets\/.*\.(css|woff2)$/.test(name));
        const files = JSON.stringify([...wanted, ...look].map((name) => `/${name}`).toSorted());
        const version = createHash('sha256').update(files).digest('hex').slice(0, 12);
        const source = readFileSync(new URL('service-worker.js', import.meta.url), 'utf8')
          .replace("'__FILES__'", files)
          .replace('__VERSION__', version);
        this.emitFile({ type: 'asset', fileName: 'sw.js', source });
      },
    },
  };
}
