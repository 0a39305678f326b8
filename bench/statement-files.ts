import { addDays, type IsoDate } from '@sparechange/domain';
import type { Pool } from '@sparechange/server/db/connect.ts';

/** A payout as the bank's statement shows it. */
interface PaidOut {
  reference: string;
  cents: number;
}

/** Days of a statement. */
const days = 10;

/** Makes payouts that the provider has carried out, half of them to clubs and half to savers; returns all of them. */
export async function makePayouts(db: Pool, count: number, round: number): Promise<PaidOut[]> {
  const reference = (kind: string) =>
    db`${kind}::text || upper(left(md5(${kind}::text || ${round}::int || ' ' || n), 16))`;
  const half = count / 2;
  const toClubs = await db<PaidOut[]>`
    insert into remittances (club_id, run_date, attempt, amount_cents, reference, state, planned_at, submitted_at)
    select (select id from clubs limit 1), '2026-11-02', ${round * half}::int + n, 100 + n % 9000, ${reference('CL')}, 'cleared',
      '2026-11-02T00:00:00Z', '2026-11-02T01:00:00Z'
    from generate_series(1, ${half}::int) n returning reference, amount_cents as cents`;
  const supporters = await db<{ id: string }[]>`select supporter_id as id from supporters`;
  const ids = supporters.map(({ id }) => id);
  const toSavers = await db<PaidOut[]>`
    insert into deposits (supporter_id, month, attempt, amount_cents, masked_number, account_linked_at, reference, state, planned_at,
      submitted_at)
    select (${ids}::uuid[])[1 + n % ${ids.length}::int], date '1900-01-01' + (n / ${ids.length}::int) * interval '1 month', 1 + ${round}::int,
      100 + n % 7000, 'XXXX5678', '2026-11-01', ${reference('SV')}, 'returned', '2026-11-02T00:00:00Z', '2026-11-02T01:00:00Z'
    from generate_series(1, ${half}::int) n returning reference, amount_cents as cents`;
  return [...toClubs, ...toSavers];
}

const dollars = (cents: number): string => (cents / 100).toFixed(2);
const dayOf = (place: number, count: number, last: IsoDate): IsoDate =>
  addDays(last, Math.floor((place * days) / count) - days + 1);

/** Writes payouts as a bank's camt.053 file. */
export function writeCamt053(payouts: readonly PaidOut[], last: IsoDate, account: string): string {
  const entries = payouts.map(({ reference, cents }, place) => {
    const day = dayOf(place, payouts.length, last);
    return `<Ntry><NtryRef>${place + 1}</NtryRef><Amt Ccy="AUD">${dollars(cents)}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
<BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt><AcctSvcrRef>B${20_261_100_000_000 + place}</AcctSvcrRef>
<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd><SubFmlyCd>DMCT</SubFmlyCd></Fmly></Domn></BkTxCd>
<NtryDtls><TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs><RltdPties><Cdtr><Nm>Payee ${place % 500}</Nm></Cdtr></RltdPties>
<RmtInf><Ustrd>Sparechange payout</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;
  });
  const sum = payouts.reduce((total, { cents }) => total + cents, 0);
  const balance = (code: string, day: IsoDate, cents: number, side: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="AUD">${dollars(cents)}</Amt><CdtDbtInd>${side}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>
<Acct><Id><Othr><Id>${account}</Id></Othr></Id><Ccy>AUD</Ccy></Acct>
${balance('OPBD', addDays(last, -days), 0, 'CRDT')}${balance('CLBD', last, sum, 'DBIT')}
${entries.join('\n')}
</Stmt></BkToCstmrStmt></Document>`;
}

/** Writes payouts as a bank's CSV file. */
export function writeCsv(payouts: readonly PaidOut[], last: IsoDate): string {
  const rows = payouts.map(({ reference, cents }, place) =>
    [dayOf(place, payouts.length, last), `-${dollars(cents)}`, 'TRANSFER OUT SPARECHANGE', reference, `C${place}`].join(
      ',',
    ),
  );
  return ['date,amount,description,reference,transaction_id', ...rows, ''].join('\n');
}
