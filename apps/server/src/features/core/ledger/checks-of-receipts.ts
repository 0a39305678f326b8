import { type Finding, ofBuckets, ofControl } from './check.ts';

/** Invariants of the receipts that supporters were given (docs/decisions/receipts-and-history.md#receipts). */
export const checksOfReceipts = ofBuckets({
  'each receipt is the bytes it was issued as': (db) => db<Finding[]>`
    select null as violation, count(*) as checked from receipts
    union all select format('receipt %s does not match its hash', number), 0 from receipts where sha256(pdf) <> pdf_sha256`,

  'receipt numbers are unique and have no gap': (db) => db<Finding[]>`
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

/**
 * Checks that a remittance advice states exactly the payments of its remittance
 * (docs/decisions/paying-clubs.md#advice).
 */
export const checksOfAdvices = ofControl({
  'each remittance advice adds up to its remittance': (db) => db<Finding[]>`
    with documented as (
      select reference, amount_cents, (advice.facts->'totals'->>'net')::bigint as net, (
        select sum((day->>'gross')::bigint - (day->>'returned')::bigint - (day->>'savings')::bigint)
        from jsonb_array_elements(advice.facts->'days') day) as days, (advice.facts->'totals'->>'fees')::bigint as fees, (
          select coalesce(sum((other->>'cents')::bigint), 0)
          from jsonb_array_elements(coalesce(advice.facts->'adjustments', '[]')) other) as adjusted
      from remittance_advices advice join remittances remittance on remittance.id = advice.remittance_id
    )
    select null as violation, count(*) as checked from documented
    union all select format('the advice of %s says %s, its days %s less fees of %s, the remittance is %s', reference, net, days, fees, amount_cents), 0
    from documented where net <> amount_cents or coalesce(days, 0) + adjusted - fees <> amount_cents`,
});
