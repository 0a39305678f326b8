type Labels = Record<string, string>;

/** This process's metrics in Prometheus text format 0.0.4, since start. */
export interface Metrics {
  counter(name: string, help: string): { add(labels: Labels, by?: number): void };
  /** Counts in buckets, by default 5 ms to 10 s. */
  histogram(name: string, help: string, bounds?: number[]): { observe(labels: Labels, value: number): void };
  /** Read anew for each reading of the metrics; what cannot be read is left out. One whose name ends in _total counts up. */
  gauge(name: string, help: string, read: () => Promise<Sample[]> | Sample[]): void;
  text(): Promise<string>;
}

export interface Sample {
  labels?: Labels;
  value: number;
}

const fromMsTo10s = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const escaped = (text: string): string =>
  text.replace(/[\\"\n]/g, (letter) => (letter === '\n' ? '\\n' : `\\${letter}`));

/** A metric's labels never change, so their values identify lines. */
function keyOf(labels: Labels): string {
  let key = '';
  for (const name in labels) key += `${labels[name]}\n`;
  return key;
}

function labelText(labels: Labels): string {
  const all = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return all.length > 0 ? `{${all.join(',')}}` : '';
}

interface Family {
  name: string;
  help: string;
  kind: 'counter' | 'histogram' | 'gauge';
  lines(): Promise<string[]> | string[];
}

interface Histogram {
  labels: Labels;
  counts: number[];
  sum: number;
  count: number;
}

export function createMetrics(): Metrics {
  const families: Family[] = [];
  return {
    counter(name, help) {
      const all = new Map<string, { labels: Labels; total: number }>();
      const lines = () => [...all.values()].map(({ labels, total }) => `${name}${labelText(labels)} ${total}`);
      families.push({ name, help, kind: 'counter', lines });
      return {
        add: (labels, by = 1) => {
          const key = keyOf(labels);
          const known = all.get(key);
          if (known) known.total += by;
          else all.set(key, { labels, total: by });
        },
      };
    },
    histogram(name, help, bounds = fromMsTo10s) {
      const all = new Map<string, Histogram>();
      families.push({
        name,
        help,
        kind: 'histogram',
        lines: () => [...all.values()].flatMap((each) => histogramLines(name, bounds, each)),
      });
      return {
        observe: (labels, value) => {
          const key = keyOf(labels);
          const known = all.get(key) ?? { labels, counts: bounds.map(() => 0), sum: 0, count: 0 };
          if (known.count === 0) all.set(key, known);
          known.sum += value;
          known.count += 1;
          const at = bounds.findIndex((bound) => value <= bound);
          if (at >= 0) known.counts[at] = (known.counts[at] ?? 0) + 1;
        },
      };
    },
    gauge(name, help, read) {
      const lines = async () => (await read()).map(({ labels = {}, value }) => `${name}${labelText(labels)} ${value}`);
      families.push({ name, help, kind: name.endsWith('_total') ? 'counter' : 'gauge', lines });
    },
    text: async () => {
      const parts = await Promise.all(
        families.map(async ({ name, help, kind, lines }) => {
          const read = await Promise.resolve()
            .then(lines)
            .catch(() => []);
          return [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...read].join('\n');
        }),
      );
      return `${parts.join('\n')}\n`;
    },
  };
}

function histogramLines(name: string, bounds: number[], { labels, counts, sum, count }: Histogram): string[] {
  let below = 0;
  const bounded = bounds.map((bound, at) => {
    below += counts[at] ?? 0;
    return `${name}_bucket${labelText({ ...labels, le: String(bound) })} ${below}`;
  });
  return [
    ...bounded,
    `${name}_bucket${labelText({ ...labels, le: '+Inf' })} ${count}`,
    `${name}_sum${labelText(labels)} ${sum}`,
    `${name}_count${labelText(labels)} ${count}`,
  ];
}
