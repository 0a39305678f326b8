import type { Db } from '#world/database.ts';
import { badRequest, duplicate } from './problem.ts';

const keptForMs = 86_400_000;

/** Runs `create` unless this key has made something in the last 24 hours; then the refusal names what it made. */
export function once<Made>(
  db: Db,
  header: unknown,
  at: number,
  create: (key: string) => { ref: string; made: Made },
): Made {
  if (typeof header !== 'string' || header === '') throw badRequest('Idempotency-Key header is required');
  if (header.length > 256) throw badRequest('Idempotency-Key must be 256 characters or less');
  return db.atomically(() => {
    const before = db.find<{ ref: string }>(
      'select resource_ref as ref from idempotency_keys where key = ? and created_at > ?',
      header,
      at - keptForMs,
    );
    if (before !== undefined) throw duplicate(before.ref);
    const { ref, made } = create(header);
    db.run('insert or replace into idempotency_keys (key, resource_ref, created_at) values (?, ?, ?)', header, ref, at);
    return made;
  });
}
