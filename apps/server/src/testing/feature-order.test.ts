import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const features = fileURLToPath(new URL('../features', import.meta.url));

/** The features from the ground up: each may import those of the lines above its own, and none of its own line or below. */
const order = [
  ['tenants', 'ledger', 'submission', 'bank-files', 'timeline'],
  ['clubs', 'bank-statements', 'direct-debit-request', 'handoff', 'payouts', 'receipts'],
  ['supporters', 'emails', 'reconciliation'],
  ['alarms', 'consents', 'onboarding', 'savings', 'remittance-advice'],
  ['identity', 'accounts', 'bank-passes', 'remittances', 'repayments'],
  ['round-ups', 'bookkeeping'],
  ['offboarding'],
  ['debits'],
  ['donations', 'payments', 'next-debit', 'history', 'webhooks'],
];

const level = new Map(order.flatMap((names, index) => names.map((name) => [name, index] as const)));

const sources = readdirSync(features, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.split('/').includes('testing'),
);

/** Returns the features that a source file imports, its own left out. */
function importedFeatures(path: string): string[] {
  const own = path.split('/')[0];
  const specifiers = [...readFileSync(join(features, path), 'utf8').matchAll(/from '(#features\/|\.{1,2}\/)([^']+)'/g)];
  const names = specifiers.map(([, start = '', rest = '']) =>
    start === '#features/' ? rest : posix.join(posix.dirname(path), start, rest),
  );
  return names.map((name) => name.split('/')[0] ?? '').filter((name) => name !== own);
}

describe('the order of features', () => {
  it('names every feature', () => {
    const folders = readdirSync(features, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).sort()).toEqual([...level.keys()].sort());
  });

  it('lets a feature import only what lies below it', () => {
    const upward = sources.flatMap((path) => {
      const own = level.get(path.split('/')[0] ?? '') ?? -1;
      return importedFeatures(path)
        .filter((name) => (level.get(name) ?? 0) >= own)
        .map((name) => `${path} imports ${name}`);
    });
    expect(upward).toEqual([]);
  });

  it('keeps HTTP and the command line out of use cases', () => {
    const useCases = sources.filter((path) => !/(^|[/-])routes\.ts$/.test(path));
    const surfaces = useCases.filter((path) => /from '#(http|ops)\//.test(readFileSync(join(features, path), 'utf8')));
    expect(surfaces).toEqual([]);
  });
});
