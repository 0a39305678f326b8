import { Gauge, type Registry } from 'prom-client';

/** One value of a gauge that has a label. */
export interface Reading {
  /** The value of the label. */
  name: string;
  value: number;
}

/** Reads the value of a gauge, or one for each value of its label. */
export type ReadGauge = () => Promise<number | Reading[]> | number;

/** Adds a gauge that is read anew for each reading of the metrics. Nothing is shown if it cannot be read. */
export function addGauge(
  registry: Registry,
  name: string,
  help: string,
  label: string | undefined,
  read: ReadGauge,
): void {
  new Gauge({
    name,
    help,
    labelNames: label ? [label] : [],
    registers: [registry],
    async collect() {
      const found = await Promise.resolve()
        .then(read)
        .catch(() => []);
      this.reset();
      this.remove({}); // to which a gauge without labels is reset
      if (typeof found === 'number') this.set(found);
      else for (const { name: of, value } of found) this.set(label ? { [label]: of } : {}, value);
    },
  });
}
