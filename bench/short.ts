import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { measureApi } from './api.ts';
import { measureIngest } from './ingest.ts';
import { measurePlan } from './plan.ts';
import { type Ratios, ratioTable } from './ratio-table.ts';
import { measureSubmission } from './submit.ts';
import { withSupporters } from './with-supporters.ts';

/** The ratios of the last landed commit. */
const landedFile = fileURLToPath(new URL('landed.json', import.meta.url));
const planned = 20_000;
const submitted = 10_000;
const runs = 5;
const turns = 10;

/** Measures every ratio on few supporters, within some two minutes. */
async function measureRatios(): Promise<Ratios> {
  const recorded = await withSupporters(planned, async ({ pool, tenants, folder }) => ({
    planRatio: (await measurePlan(pool, tenants, runs)).ratio,
    ingestRatio: (await measureIngest(pool, folder, runs)).ratio,
  }));
  const submit = await withSupporters(submitted, ({ pool, tenants }) => measureSubmission(pool, tenants));
  const api = await measureApi(turns);
  return { ...recorded, submitRatio: submit.ratio, apiRatio: api.ratio };
}

/** Prints the ratios; `keep` writes them down as those of the commit that is about to land. */
export async function printRatios({ keep }: { keep: boolean }): Promise<void> {
  const landed = JSON.parse(await readFile(landedFile, 'utf8')) as Partial<Ratios>;
  const ratios = await measureRatios();
  process.stdout.write(`${ratioTable(ratios, landed)}\n`);
  if (keep) await writeFile(landedFile, `${JSON.stringify(ratios, null, 2)}\n`);
}
