import { type Finding, ofBuckets, ofControl } from './check.ts';

/** Invariants of the receipts that supporters were given (docs/decisions/0025). */
export const checksOfReceipts = ofBuckets({
  'each receipt is the bytes it was issued as': (db) => db<Finding[]>`
    select null as violation, count(*) as checked from receipts
    union all select format('the bytes of %s are not those of its hash', number), 0 from receipts where sha256(pdf) <> pdf_sha256`,

  'receipts are counted without a gap, each with a number of its own': (db) => db<Finding[]>`
    with own as (
      select supporter_id, count(*) as documents, min(seq) as first, max(seq) as last, count(distinct number) as numbers
      from receipts group by 1
    )
    select null as violation, count(*) as checked from own
    union all select format('%s has %s receipts with %s numbers, the last is %s', supporter_id, documents, numbers, last), 0
    from own where documents <> last - first + 1 or documents <> numbers or (first > 1 and not exists (
      select from issued_receipts before where before.supporter_id = own.supporter_id and before.seq = first - 1))`,

  'each receipt adds up to the journal': (db) => db<Finding[]>`
    with documented as (
      select number, total_cents, (
        select coalesce(sum((line->>'cents')::bigint), 0)
        from jsonb_array_elements(facts->'clubs') club, jsonb_array_elements(club->'lines') line) as lines, (
        select coalesce(-sum(cents), 0) from whole_journal entry where entry.supporter_id = receipts.supporter_id
          and account = 'club_payable' and booked_on between first_day and last_day) as booked
      from receipts
    )
    select null as violation, count(*) as checked from documented
    union all select format('%s says %s, its lines %s, the journal %s', number, total_cents, lines, booked), 0
    from documented where total_cents <> booked or lines <> booked`,
});

/** A payout pack says what its remittance pays (docs/decisions/0026). */
export const checksOfPacks = ofControl({
  'each payout pack is its deposit': (db) => db<Finding[]>`
    with documented as (
      select reference, amount_cents, (pack.facts->'totals'->>'net')::bigint as net, (
        select sum((day->>'gross')::bigint - (day->>'returned')::bigint - (day->>'savings')::bigint)
        from jsonb_array_elements(pack.facts->'days') day) as days, (pack.facts->'totals'->>'fees')::bigint as fees, (
          select coalesce(sum((other->>'cents')::bigint), 0)
          from jsonb_array_elements(coalesce(pack.facts->'adjustments', '[]')) other) as adjusted
      from remittance_advices pack join remittances remittance on remittance.id = pack.remittance_id
    )
    select null as violation, count(*) as checked from documented
    union all select format('the pack of %s says %s, its days %s less fees of %s, the deposit is %s', reference, net, days, fees, amount_cents), 0
    from documented where net <> amount_cents or coalesce(days, 0) + adjusted - fees <> amount_cents`,
});
