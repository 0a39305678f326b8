import { z } from 'zod';
import { controlName } from '#db/servers.ts';

/** Reads `east=postgres://…,west=postgres://…`; an address may hold commas. */
const listed = (text: string): [name: string, address: string][] =>
  text.split(/,\s*(?=[\w-]+=postgres)/).map((each) => {
    const [name = '', ...address] = each.split('=');
    return [name.trim(), address.join('=').trim()];
  });

const isServer = ([name, address]: [string, string]): boolean =>
  /^[a-z][a-z0-9-]{0,31}$/.test(name) &&
  name !== controlName &&
  z.url({ protocol: /^postgres(ql)?$/ }).safeParse(address).success;

const isUnlike = (values: string[]): boolean => new Set(values).size === values.length;

/** A list of database servers by name. */
export const bucketServers = z
  .string()
  .refine((text) => listed(text).every(isServer), 'must look like east=postgres://…,west=postgres://…')
  .refine(
    (text) => isUnlike(listed(text).map(([name]) => name)) && isUnlike(listed(text).map(([, address]) => address)),
    'names a server twice',
  )
  .transform((text) => Object.fromEntries(listed(text)));

type Given = Record<string, string | undefined>;

/** Returns the number of buckets of a new database where nobody says: a live one may outgrow its server. */
export const defaultBuckets = (environment: string | undefined): number => (environment === 'production' ? 16 : 1);

const isUndivided = ({ BUCKETS: buckets, APP_ENV: environment }: Given): boolean =>
  Number(buckets ?? defaultBuckets(environment)) === 1;

/** Returns every server's address, or none for what cannot be read, which is named elsewhere. */
export const addressesOf = (text: string | undefined): string[] =>
  Object.values(bucketServers.safeParse(text).data ?? {});

function problemsOfCitus(given: Given): string[] {
  const needs = (setting: string, why: string) => `DATABASE_ENGINE=citus needs ${setting}: ${why}`;
  return [
    ...(given.BUCKET_SERVERS
      ? ['BUCKET_SERVERS is set with DATABASE_ENGINE=citus: the cluster places buckets on its own nodes']
      : []),
    ...(given.DATABASE_URL ? [] : [needs('DATABASE_URL', 'the embedded database has no Citus')]),
    ...(isUndivided(given) ? [needs('BUCKETS above 1', 'a bucket is what moves between nodes')] : []),
  ];
}

/** Returns what is wrong between the settings of servers, as sentences without secrets. */
export function problemsOfServers(given: Given): string[] {
  const namesOf = (text: string | undefined) =>
    Object.keys(bucketServers.safeParse(text).data ?? {})
      .sort()
      .join(', ');
  const { BUCKET_SERVERS: servers, BUCKET_SERVERS_OWNER: owner } = given;
  return [
    ...(given.DATABASE_ENGINE === 'citus' ? problemsOfCitus(given) : []),
    ...(servers && isUndivided(given) ? ['BUCKET_SERVERS is set: it needs BUCKETS above 1'] : []),
    ...(addressesOf(servers).includes(given.DATABASE_URL ?? '')
      ? ['BUCKET_SERVERS names the server of DATABASE_URL']
      : []),
    ...(owner && namesOf(owner) !== namesOf(servers)
      ? ['BUCKET_SERVERS_OWNER names other servers than BUCKET_SERVERS']
      : []),
  ];
}
