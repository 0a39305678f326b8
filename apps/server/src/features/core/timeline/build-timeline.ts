import { type IsoDate, sydneyDay } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import type { TimelineFact } from './timeline-facts.ts';
import * as sources from './timeline-repository.ts';
import { sentenceFor } from './timeline-sentences.ts';

export interface TimelineEntry {
  at: string;
  /** Set if the tables hold only the day. */
  on?: IsoDate;
  sentence: string;
  fact: TimelineFact;
}

export interface Timeline {
  supporterId: string;
  events: TimelineEntry[];
  auditLog: sources.ChainState;
}

/** Returns the agreed wording's hash, null for other facts. */
export const textHashOf = (fact: TimelineFact): string | null =>
  fact.kind === 'agreed to the direct debit' ? fact.textHash : null;

/**
 * Builds everything that happened to a supporter, in order of time, for a dispute. Account numbers are masked
 * throughout.
 */
export async function buildTimeline(db: Db, supporterId: string): Promise<Timeline> {
  const {
    chainOf,
    registrationOf,
    mandatesOf,
    auditLogEntriesOf,
    purchaseRefundsOf,
    debitsOf,
    depositsOf,
    repaymentsOf,
    receiptsOf,
  } = sources;
  const { campaignDropsOf, deletionsOf, mailsOf } = sources;
  const parts = [
    registrationOf,
    mandatesOf,
    auditLogEntriesOf,
    purchaseRefundsOf,
    debitsOf,
    depositsOf,
    repaymentsOf,
    receiptsOf,
    campaignDropsOf,
    deletionsOf,
    mailsOf,
  ];
  const events = (await Promise.all(parts.map((part) => part(db, supporterId)))).flat();
  const sentences = events
    .sort((one, other) => one.at.getTime() - other.at.getTime())
    .map(({ at, dayOnly, fact }) => ({
      at: at.toISOString(),
      ...(dayOnly ? { on: sydneyDay(at) } : {}),
      sentence: sentenceFor(fact),
      fact,
    }));
  return { supporterId, events: sentences, auditLog: await chainOf(db, supporterId) };
}
