import { existsSync } from 'node:fs';
import { operatorProgram } from './program.ts';

if (existsSync('.env')) process.loadEnvFile('.env');

const program = await operatorProgram(process.argv.slice(2));
await program.parseAsync();
