import { existsSync } from 'node:fs';
import { operatorProgram } from './program.ts';

if (existsSync('.env')) process.loadEnvFile('.env');

await operatorProgram().parseAsync();
