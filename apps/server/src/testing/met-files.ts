import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';

/** Files with which people once met our imports: they lie beside the project, never in it. */
const folder = fileURLToPath(new URL('../../../../../shared/findings/inputs/', import.meta.url));

export const metFile = (name: string): Buffer => readFileSync(folder + name);
export const metFiles = (): string[] => readdirSync(folder);

/** A test of such files, skipped where they are not. */
export const testOfMetFiles = test.skipIf(!existsSync(folder));
