import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { connect } from '@sparechange/server/db/connect.ts';
import { addBusinessMetrics } from '@sparechange/server/runtime/business-metrics.ts';
import { productMetrics } from '@sparechange/server/telemetry/product-metrics.ts';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');

const Board = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) })),
});
const Rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.strictObject({
          alert: z.string(),
          expr: z.string(),
          for: z.string().optional(),
          labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.strictObject({ summary: z.string(), action: z.string() }),
        }),
      ),
    }),
  ),
});

const board = Board.parse(JSON.parse(read('deploy/grafana/board.json')));
const { groups } = Rules.parse(load(read('deploy/prometheus/alerts.yaml')));
const rules = groups.flatMap((group) => group.rules);
const expressions = [
  ...board.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ from: title, expr }))),
  ...rules.map(({ alert, expr }) => ({ from: alert, expr })),
];

/** The labels of each series of the product; Prometheus adds where it read it. */
function labelsOfSeries(): Map<string, string[]> {
  const db = connect('postgres://nobody@127.0.0.1:1/none'); // connects on first use, which is never
  const clock = { now: () => new Date() };
  const metrics = addBusinessMetrics(productMetrics(db), db, clock);
  const Metric = z.object({ name: z.string(), type: z.string(), labelNames: z.array(z.string()) });
  const added = ['instance', 'job'];
  return new Map(
    metrics.registry.getMetricsAsArray().flatMap((metric) => {
      const { name, type, labelNames } = Metric.parse(metric);
      const own: [string, string[]][] = [[name, [...labelNames, ...added]]];
      const bucket: [string, string[]] = [`${name}_bucket`, [...labelNames, ...added, 'le']];
      return type === 'histogram' ? [...own, bucket] : own;
    }),
  );
}
const series = labelsOfSeries();

const words = new Set(['and', 'or', 'unless', 'by', 'without', 'on', 'ignoring', 'bool', 'offset']);

/** Returns names of series, of matched labels with their values, and of labels that are grouped by. */
function namesIn(expr: string) {
  const matchers = [...expr.matchAll(/(\w+)\s*\{([^}]*)\}/g)].flatMap(([, metric = '', inside = '']) =>
    [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"/g)].map(([, label = '', value = '']) => ({
      metric,
      label,
      value,
    })),
  );
  const grouping = /\b(?:by|without)\s*\(([^)]*)\)/g;
  const grouped = [...expr.matchAll(grouping)].flatMap(([, list = '']) => list.split(',').map((label) => label.trim()));
  const bare = expr.replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, '').replaceAll(grouping, '');
  const names = [...bare.matchAll(/[a-z_:][\w:]*(?!\w*\s*\()/gi)].map(([name]) => name);
  return { metrics: names.filter((name) => !words.has(name)), matchers, grouped };
}

const brackets = (text: string): boolean => {
  const opened: string[] = [];
  for (const sign of text.replaceAll(/"[^"]*"/g, '')) {
    if ('([{'.includes(sign)) opened.push(')]}'['([{'.indexOf(sign)] ?? '');
    else if (')]}'.includes(sign) && opened.pop() !== sign) return false;
  }
  return opened.length === 0;
};

describe('the board and the alerts', () => {
  test('name metrics and labels that the product has', () => {
    const wrong = expressions.flatMap(({ from, expr }) => {
      const { metrics, matchers, grouped } = namesIn(expr);
      const labels = metrics.flatMap((metric) => series.get(metric) ?? []);
      return [
        ...(brackets(expr) && metrics.length > 0 ? [] : [`${from}: cannot be read`]),
        ...metrics.filter((metric) => !series.has(metric)).map((metric) => `${from}: no metric ${metric}`),
        ...matchers
          .filter(({ metric, label }) => !series.get(metric)?.includes(label))
          .map(({ metric, label }) => `${from}: ${metric} has no label ${label}`),
        ...grouped.filter((label) => !labels.includes(label)).map((label) => `${from}: no label ${label}`),
      ];
    });
    expect(wrong).toEqual([]);
  });

  test('match values that stand in the source', () => {
    const sources = ['apps/server/src', 'packages/domain/src'].flatMap((folder) =>
      readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
        .filter((path) => /\.(ts|sql)$/.test(path))
        .map((path) => read(`${folder}/${path}`)),
    );
    const source = sources.join('\n');
    const values = expressions.flatMap(({ expr }) => namesIn(expr).matchers.flatMap(({ value }) => value.split('|')));
    expect(values.filter((value) => value !== '5..' && !source.includes(`'${value}'`))).toEqual([]);
  });

  test('show or watch every metric', () => {
    const used = new Set(
      expressions.flatMap(({ expr }) => namesIn(expr).metrics.map((name) => name.replace(/_bucket$/, ''))),
    );
    expect([...series.keys()].filter((name) => !name.endsWith('_bucket') && !used.has(name))).toEqual([]);
  });

  test('have an alarm for each metric of the money and of the timetable', () => {
    const watched = new Set(rules.flatMap(({ expr }) => namesIn(expr).metrics));
    const mustWake =
      /^(debit|payments|book_check|platform|tenants_stopped|bank_link|timetable|jobs_failed|mails|queue_age|database_up)/;
    expect([...series.keys()].filter((name) => mustWake.test(name) && !watched.has(name))).toEqual([]);
  });

  test('ask of notifications and payments how long one waits: some are always there where many come', () => {
    const asking = rules.filter(({ expr }) => /notifications|payments_unknown/.test(expr));
    expect(asking.map(({ expr }) => expr)).toEqual([
      'max by (kind) (payments_unknown) > 0 and max by (kind) (payments_unknown_seconds) > 7200',
      'max(notifications_waiting_seconds) > 3600',
    ]);
  });

  test('name each alarm once', () => {
    const names = rules.map(({ alert }) => alert);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});

test('a wrong name, label or bracket would be found', () => {
  const { metrics, matchers, grouped } = namesIn(
    'sum by (le, route) (rate(a_total{status=~"5.."}[5m])) > 0.1 * max(b)',
  );
  expect(metrics).toEqual(['a_total', 'b']);
  expect(matchers).toEqual([{ metric: 'a_total', label: 'status', value: '5..' }]);
  expect(grouped).toEqual(['le', 'route']);
  expect([brackets('max(a{b=")"}[5m])'), brackets('max(a')]).toEqual([true, false]);
});
