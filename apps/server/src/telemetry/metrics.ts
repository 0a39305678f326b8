import { Counter, Gauge, type Registry } from 'prom-client';

/** One value of a gauge that has a label. */
export interface Reading {
  /** The value of the label. */
  name: string;
  value: number;
}

/** Reads the value of a gauge, or one for each value of its label. */
export type ReadGauge = () => Promise<number | Reading[]> | number;

const unread = 'metrics_unread_total';

/** Counts the readings of a gauge that failed. */
const countUnread = (registry: Registry): Counter =>
  (registry.getSingleMetric(unread) as Counter | undefined) ??
  new Counter({
    name: unread,
    help: 'Readings of a metric that failed.',
    labelNames: ['metric'],
    registers: [registry],
  });

/**
 * Adds a gauge that is read again for each reading of the metrics. Where it cannot be read, nothing is shown and
 * `metrics_unread_total` grows, which begins at 0: a series that is born with its first failure never shows a growth.
 */
export function addGauge(
  registry: Registry,
  name: string,
  help: string,
  label: string | undefined,
  read: ReadGauge,
): void {
  const failures = countUnread(registry);
  failures.inc({ metric: name }, 0);
  new Gauge({
    name,
    help,
    labelNames: label ? [label] : [],
    registers: [registry],
    async collect() {
      const found = await Promise.resolve()
        .then(read)
        .catch(() => {
          failures.inc({ metric: name });
          return [];
        });
      this.reset();
      this.remove({}); // to which a gauge without labels is reset
      if (typeof found === 'number') this.set(found);
      else for (const { name: of, value } of found) this.set(label ? { [label]: of } : {}, value);
    },
  });
}
