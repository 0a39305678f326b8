import { type Place, runOps } from './product.ts';

/** Returns the product's place shared by this worker's tests. */
export function placeOfTests(): Place {
  const { E2E_PORT = '', E2E_DATA_DIR = '' } = process.env;
  return { port: Number(E2E_PORT), dataDir: E2E_DATA_DIR };
}

/** Runs an operator's command against the tests' shared product. */
export const ops = <Answer = Record<string, unknown>>(...words: string[]): Promise<Answer> =>
  runOps<Answer>(placeOfTests(), ...words);
