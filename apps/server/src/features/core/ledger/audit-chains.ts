import { chainName } from '#audit/inspect-chain.ts';
import type { Db, Pool } from '#db/connect.ts';
import { controlAndBuckets } from '#db/in-each-bucket.ts';
import { isOfOneBucket, schemaOf } from '#db/scope.ts';
import { type Audit, add, addFailure, addSilent, auditBooks, emptyAudit } from './audit-books.ts';
import { ofControl } from './check.ts';
import { type ChainRange, findAlterations } from './checks-of-audit-log.ts';

/** Chains per statement: seconds, well within an API's limit. */
const chainsAtOnce = 2_000;

/**
 * Checks the rows of the audit log as a full audit does, some chains at a time, each from one snapshot. A bucket where
 * that fails is left out from there on, and the violation reports how far it was checked.
 */
export async function auditChains(db: Pool, atOnce = chainsAtOnce): Promise<Audit> {
  const audit = emptyAudit();
  for (const place of controlAndBuckets(db)) {
    let reached: string | null = null;
    try {
      for await (const range of rangesOfChains(place, atOnce)) {
        const look = (tx: Db) => auditBooks(tx, ofControl(findAlterations(range))); // of this place alone
        add(audit, await place.begin(look, 'isolation level repeatable read read only'));
        reached = range.through;
      }
    } catch (error) {
      if (await addSilent(db, audit, error)) continue;
      const where = isOfOneBucket(place.scope) ? ` of ${schemaOf(place.scope)}` : '';
      const howFar = reached === null ? 'was not checked' : `was checked no further than ${chainName(reached)}`;
      addFailure(audit, `the audit log${where} ${howFar}`, error);
    }
  }
  return audit;
}

/** Divides all ids into ranges of this many chains. */
async function* rangesOfChains(place: Db, atOnce: number): AsyncIterable<ChainRange> {
  for (let after: string | null = null, isLast = false; !isLast; ) {
    const through = await lastOfPage(place, after, atOnce);
    yield { after, through };
    after = through;
    isLast = through === null;
  }
}

async function lastOfPage(place: Db, after: string | null, size: number): Promise<string | null> {
  const [last] = await place<{ id: string }[]>`
    select supporter_id as id from audit_heads where ${after === null ? place`true` : place`supporter_id > ${after}`}
    order by supporter_id offset ${size - 1} limit 1`;
  return last?.id ?? null;
}
