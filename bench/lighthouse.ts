import { chromium } from '@playwright/test';
import { freePort } from '@sparechange/server/providers/testing/local-server.ts';
import lighthouse from 'lighthouse';
import { findBrowser } from '../scripts/browser.ts';
import { median } from './stopwatch.ts';

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
/** Points of 100, and the milliseconds in which the page could not answer a touch (total blocking time). */
type Score = Record<(typeof categories)[number] | 'blockingMs', number>;

/** Returns the medians of a page's scores on Lighthouse's phone, and the audits that cost the last run points. */
async function scoresOf(url: string, runs: number, port: number): Promise<Score & { lost: string[] }> {
  const results: Score[] = [];
  let lost: string[] = [];
  for (let run = 0; run < runs; run += 1) {
    const result = await lighthouse(url, { port, onlyCategories: [...categories], logLevel: 'error' });
    if (!result) throw new Error(`Lighthouse has no result for ${url}.`);
    const { lhr } = result;
    const points = categories.map((name) => [name, Math.round((lhr.categories[name]?.score ?? 0) * 100)]);
    const blockingMs = Math.round(lhr.audits['total-blocking-time']?.numericValue ?? Number.NaN);
    results.push({ ...Object.fromEntries(points), blockingMs });
    const weighed = categories.flatMap(
      (name) => lhr.categories[name]?.auditRefs.filter(({ weight }) => weight > 0) ?? [],
    );
    lost = weighed
      .map(({ id }) => lhr.audits[id])
      .flatMap((audit) =>
        audit && audit.score !== null && audit.score < 1 ? [`${audit.id} ${audit.displayValue ?? audit.title}`] : [],
      );
  }
  const medianOf = (name: keyof Score) => median(results.map((scores) => scores[name]));
  const names = [...categories, 'blockingMs'] as const;
  return { ...(Object.fromEntries(names.map((name) => [name, medianOf(name)])) as Score), lost };
}

/** Measures pages of a product with Lighthouse, each several times. */
export async function measureLighthouse(home: string, paths: string[], runs = 3) {
  const port = await freePort();
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`],
  });
  try {
    const scores: Record<string, Awaited<ReturnType<typeof scoresOf>>> = {};
    for (const path of paths) scores[path] = await scoresOf(new URL(path, home).href, runs, port);
    return scores;
  } finally {
    await browser.close();
  }
}
