import { availableParallelism, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { openApi, stop } from './api.ts';
import { after, measureLoad } from './load.ts';
import { measureMillion, openMailServer, queueEvening } from './mails.ts';
import { startPart } from './start-part.ts';
import { rounded } from './stopwatch.ts';
import { bookPledges } from './submit.ts';
import { makeSyncsDue } from './sync.ts';
import { type SupportersDatabase, withSupporters } from './with-supporters.ts';

// `npm run load`: a scaled-down evening. Syncs, a debit run, its emails and the API's calls, each alone and all
// together.

const { values } = parseArgs({
  options: {
    supporters: { type: 'string', default: '2000' },
    latency: { type: 'string', default: '150' },
    mails: { type: 'string', default: '5000' },
    parts: { type: 'string', default: 'sync,run,mails,api' },
  },
});
const supporters = Number(values.supporters);
const latencyMs = Number(values.latency);
const sample = Number(values.mails);
if (!Number.isSafeInteger(supporters) || supporters < 100) throw new Error('--supporters is a number from 100 on');

const parts = ['sync', 'run', 'mails'] as const;
const known = [...parts, 'api'] as const;
type Part = (typeof known)[number];
const chosenParts = known.filter((part) => values.parts.split(',').includes(part));
/** Time for which the API alone is measured. */
const apiMs = 10_000;

interface Rate {
  perSecond: number;
  /** For calls that somebody waits for. */
  p95Ms?: number;
}

/** Per second, for a million supporters: syncs and debits within four hours, emails within two. */
const neededForMillion: Record<Part, number> = { sync: 69, run: 67, mails: 135, api: 500 };

/** Makes ready what a part does. */
const prepare: Record<(typeof parts)[number], (prepared: SupportersDatabase) => Promise<unknown>> = {
  sync: ({ pool }) => makeSyncsDue(pool),
  run: async ({ pool }) => {
    await pool`update supporters set balance_floor_cents = 0`;
    await bookPledges(pool);
  },
  mails: queueEvening,
};

/** Measures some parts together, on a database of their own; API calls continue as long as any other part. */
function measure(wanted: readonly Part[]): Promise<Partial<Record<Part, Rate>>> {
  return withSupporters(supporters, async (prepared) => {
    const { pool, url, folder } = prepared;
    const mailServer = await openMailServer();
    const api = wanted.includes('api') ? await openApi(pool, url, folder) : undefined;
    try {
      const mine = parts.filter((part) => wanted.includes(part));
      for (const part of mine) await prepare[part](prepared);
      const options = { latency: latencyMs, smtp: mailServer.url };
      const programs = await Promise.all(
        mine.map(async (part) => [part, await startPart(part, url, options)] as const),
      );
      await pool`vacuum analyze`;
      if (api) await measureLoad(api.load, after(2_000)); // until the code is compiled
      const goOn = { parts: programs.length, isOver: after(programs.length === 0 ? apiMs : 0) };
      const calls = api && measureLoad(api.load, () => goOn.parts === 0 && goOn.isOver());
      const rates = programs.map(async ([part, { go, end }]) => {
        const { done, seconds } = await go().finally(() => (goOn.parts -= 1));
        end();
        return [part, { perSecond: rounded(done / seconds, 1) }] as const;
      });
      return { ...Object.fromEntries(await Promise.all(rates)), ...(calls && { api: await calls }) };
    } finally {
      if (api) await stop(api.server);
      mailServer.close();
    }
  });
}

const alone: Partial<Record<Part, Rate>> = {};
for (const part of chosenParts) Object.assign(alone, await measure([part]));
const together = await measure(chosenParts);
/** The emails of a million alone, by a sample of `--mails` supporters. */
const million = chosenParts.includes('mails') && sample > 0 ? await measureMillion(sample) : undefined;
const each = (of: (part: Part) => number | undefined) =>
  Object.fromEntries(chosenParts.map((part) => [part, of(part)]));
const share = (rate: Rate | undefined, of: number) => rate && rounded(rate.perSecond / of);
const machine = { cores: availableParallelism(), memoryGb: rounded(totalmem() / 2 ** 30, 1), node: process.version };
const result = {
  supporters,
  latencyMs,
  alone,
  together,
  togetherToAlone: each((part) => share(together[part], alone[part]?.perSecond ?? Number.NaN)),
  millionServed: each((part) => share(together[part], neededForMillion[part])),
  ...(million && { million }),
  machine,
};
process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
