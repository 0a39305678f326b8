import type { Db } from './connect.ts';
import { type DividedMigration, forBucket } from './divide-migration.ts';
import { bucketScopes, schemaOf } from './scope.ts';
import { makeTag } from './tag.ts';

/** Statements and the handle that runs them. */
interface PlacedText {
  db: Db;
  text: string;
}

/** Returns the parts of a migration, that of control first: buckets refer to it. */
export function placeMigration(db: Db, { control, bucket }: DividedMigration): PlacedText[] {
  const ofBuckets = bucketScopes(db.scope).map((scope) => ({
    db: makeTag(db.session, scope),
    text: forBucket(bucket, schemaOf(scope)).join(';\n'),
  }));
  return [{ db, text: control.join(';\n') }, ...ofBuckets].filter(({ text }) => text !== '');
}
