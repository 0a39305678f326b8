type Given = Record<string, string | undefined>;

/** Returns the default number of buckets of a new database: a live one may outgrow its server. */
export const defaultBuckets = (environment: string | undefined): number => (environment === 'production' ? 16 : 1);

const isUndivided = ({ BUCKETS: buckets, APP_ENV: environment }: Given): boolean =>
  Number(buckets ?? defaultBuckets(environment)) === 1;

/** Returns contradictions between buckets' settings, as sentences without secrets. */
export function problemsOfBuckets(given: Given): string[] {
  if (given.DATABASE_ENGINE !== 'citus') return [];
  const needs = (setting: string, why: string) => `DATABASE_ENGINE=citus needs ${setting}: ${why}`;
  return [
    ...(given.DATABASE_URL ? [] : [needs('DATABASE_URL', 'the embedded database has no Citus')]),
    ...(isUndivided(given) ? [needs('BUCKETS above 1', 'a bucket is what moves between nodes')] : []),
  ];
}
