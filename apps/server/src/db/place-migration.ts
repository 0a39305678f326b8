import type { Db } from './connect.ts';
import { type DividedMigration, forBucket } from './divide-migration.ts';
import { bucketScopes, schemaOf } from './scope.ts';
import { controlName } from './servers.ts';
import { makeTag } from './tag.ts';

/** Statements and the handle that runs them. */
interface PlacedText {
  db: Db;
  text: string;
}

/** A server, by its name, and the schemas of buckets that it holds. */
export interface Place {
  name: string;
  schemas: string[];
}

/** Returns the parts of a migration for a server, those outside its buckets first: these refer to them. */
export function placeMigration(db: Db, divided: DividedMigration, { name, schemas }: Place): PlacedText[] {
  const { control, bucket, server, bucketOnServer } = divided;
  const [outside, inside] = name === controlName ? [control, bucket] : [server, bucketOnServer];
  const ofBuckets = bucketScopes(db.scope)
    .filter((scope) => schemas.includes(schemaOf(scope)))
    .map((scope) => ({
      db: makeTag(db.session, scope),
      text: forBucket(inside, schemaOf(scope)).join(';\n'),
    }));
  return [{ db, text: outside.join(';\n') }, ...ofBuckets].filter(({ text }) => text !== '');
}
