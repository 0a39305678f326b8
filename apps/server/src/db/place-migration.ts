import type { Db } from './connect.ts';
import { type DividedMigration, forBucket } from './divide-migration.ts';
import { bucketScopes, schemaOf } from './scope.ts';
import { makeTag } from './tag.ts';

/** A migration's statements, and the handle to run them with. */
interface MigrationPart {
  db: Db;
  text: string;
}

/** Returns the parts of a migration with their databases: control first, as buckets refer to it. */
export function placeMigration(db: Db, { control, bucket }: DividedMigration): MigrationPart[] {
  const bucketParts = bucketScopes(db.scope).map((scope) => ({
    db: makeTag(db.session, scope),
    text: forBucket(bucket, schemaOf(scope)).join(';\n'),
  }));
  return [{ db, text: control.join(';\n') }, ...bucketParts].filter(({ text }) => text !== '');
}
