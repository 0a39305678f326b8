import { cents, type IsoDate, isoDate } from '@sparechange/domain';
import type { Pool } from '@sparechange/server/db/connect.ts';
import type { Purchase } from '@sparechange/server/features/supporters/round-ups/record-round-ups.ts';

export interface Payer {
  supporterId: string;
  providerAccountId: string;
}

const merchants = ['COLES', 'WOOLWORTHS', 'CORNER CAFE', 'BUNNINGS', 'OPAL TRANSPORT', 'CHEMIST WAREHOUSE', 'KMART'];

/** A tenth of all supporters, another tenth each round, page by page in the order in which syncing goes through them. */
export async function* payers(pool: Pool, round: number, pageSize: number): AsyncGenerator<Payer[], void> {
  let after = '00000000-0000-0000-0000-000000000000';
  while (true) {
    const page = await pool<Payer[]>`
      select supporter_id as "supporterId", provider_account_id as "providerAccountId"
      from supporters join accounts using (supporter_id)
      where is_funding and supporter_id > ${after} and abs(hashtext(uid) % 10) = ${round % 10}
      order by supporter_id limit ${pageSize}`;
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)?.supporterId ?? after;
  }
}

/** Yields random-looking numbers, equal in every run of the benchmark. */
export function* numbers(seed: number): Generator<number, never> {
  let state = seed;
  while (true) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state;
  }
}

const dayOf = (at: number): IsoDate => isoDate(`2026-11-${16 + (at % 7)}`);

/** Returns the purchases of these supporters' banks: `each` over a week, with ids and texts as long as a bank's. */
export function purchasesOf(page: Payer[], round: number, each: number, random: Generator<number, never>): Purchase[] {
  return page.flatMap((payer) =>
    Array.from({ length: each }, (_, at): Purchase => {
      const mark = random.next().value;
      return {
        ...payer,
        transactionId: `txn-${round}-${at}-${mark.toString(16).padStart(8, '0')}-${payer.supporterId.slice(0, 18)}`,
        day: dayOf(at),
        purchaseCents: cents(100 + (mark >>> 16)),
        description: `EFTPOS PURCHASE 16/11 ${merchants[mark % merchants.length]} ${mark % 9973} SYDNEY NS AUS`,
        endsOn: null,
      };
    }),
  );
}
