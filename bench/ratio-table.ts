/** The most that each ratio may come to; docs/performance.md says of what it is a ratio. */
export const limits = { planRatio: 1.15, ingestRatio: 1.5, submitRatio: 1.2, apiRatio: 1.2 };

export type Ratios = Record<keyof typeof limits, number>;

const row = (...cells: string[]): string =>
  cells.map((cell, at) => (at === 0 ? cell.padEnd(14) : cell.padStart(8))).join('');

/** Writes the ratios as a table for a terminal, each beside its limit and that of the last landed commit. */
export function ratioTable(ratios: Ratios, landed: Partial<Ratios>): string {
  const names = Object.keys(limits) as (keyof Ratios)[];
  const lines = names.map((name) => {
    const line = row(name, ratios[name].toFixed(2), limits[name].toFixed(2), landed[name]?.toFixed(2) ?? '–');
    return ratios[name] > limits[name] ? `${line}  over its limit` : line;
  });
  return [row('', 'now', 'limit', 'landed'), ...lines].join('\n');
}
