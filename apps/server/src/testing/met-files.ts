import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderBeside } from './beside-project.ts';

const { folder, describeWithIt } = folderBeside('findings/inputs', 'files with which people once met our imports');

export { describeWithIt as describeWithMetFiles };

export const metFile = (name: string): Buffer => readFileSync(join(folder, name));
export const metFiles = (): string[] => readdirSync(folder);
