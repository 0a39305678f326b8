import { runOps } from './product.ts';

/** Runs an operator's command against the tests' shared product. */
export function ops<Answer = Record<string, unknown>>(...words: string[]): Promise<Answer> {
  const { E2E_PORT = '', E2E_DATA_DIR = '' } = process.env;
  return runOps<Answer>({ port: Number(E2E_PORT), dataDir: E2E_DATA_DIR }, ...words);
}
