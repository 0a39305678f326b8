import type { Db } from '#db/connect.ts';
import { type Find, type Finding, ofBoth } from './check.ts';

/** Range of chains by supporter id; null for no end. */
export interface ChainRange {
  after: string | null;
  through: string | null;
}

const within = (db: Db, { after, through }: ChainRange) => db`
  ${after === null ? db`true` : db`supporter_id > ${after}`} and ${through === null ? db`true` : db`supporter_id <= ${through}`}`;

/**
 * Finds alterations in some chains of the audit log, each of which lies entirely in one range
 * (docs/decisions/nightly-audit.md#hash-chains).
 */
export const findAlterations = (range: ChainRange): Record<string, Find> => ({
  'each entry of the audit log is as it was written': (db) => db<Finding[]>`
    with entry as (
      select supporter_id, coalesce(log.id, link.id) as id, link.seq, link.hash, log.id is null as is_removed,
        link.id is null as is_unchained,
        audit_entry_hash(link.previous, link.seq, log.supporter_id, log.id, log.at, log.actor, log.action, log.details) as hash_now
      from (select * from audit_log where ${within(db, range)}) log
      full join (select * from audit_links where ${within(db, range)}) link using (supporter_id, id)
    )
    select null as violation, count(*) as checked from entry
    union all select format('entry %s of %s %s', id, supporter_id, case
      when is_removed then 'was removed' when is_unchained then 'is in no chain' else 'was changed' end), 0
    from entry where is_removed or is_unchained or hash <> hash_now`,

  'each chain of the audit log is whole': (db) => db<Finding[]>`
    with link as (
      select supporter_id, seq, previous, hash, lag(hash, 1, '') over chain as before,
        row_number() over chain as place, lead(seq) over chain is null as is_last
      from audit_links where ${within(db, range)} window chain as (partition by supporter_id order by seq)
    ), ending as (
      select supporter_id, link.seq as last, head.seq as expected, link.hash is distinct from head.hash as differs
      from (select * from link where is_last) link
      full join (select * from audit_heads where ${within(db, range)}) head using (supporter_id)
    )
    select null as violation, count(*) as checked from ending
    union all select format('the chain of %s is broken before link %s', supporter_id, seq), 0
    from link where before <> previous or place <> seq
    union all select format('the chain of %s ends with link %s, its head says %s', supporter_id, coalesce(last, 0),
      coalesce(expected, 0)), 0
    from ending where last is distinct from expected or differs`,
});

export const checksOfAuditLog = ofBoth(findAlterations({ after: null, through: null }));
