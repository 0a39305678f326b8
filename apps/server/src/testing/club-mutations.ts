/** By audit check of the books of clubs, changes in SQL that it must find. */
export const clubMutations: Record<string, Record<string, string>> = {
  'club transfers sum to zero': {
    'a leg is lost': `delete from club_entries where kind = 'planned' and account = 'payable'`,
  },
  'club balances equal their journal': {
    'a balance is a cent too much': `update club_balances set cents = cents + 1 where account = 'payable'`,
    'a balance is lost': `delete from club_balances where account = 'collected'`,
  },
  'a club is below zero only after a reversal or a refund': {
    'more was remitted than there was': `update club_balances set cents = -1 where account = 'payable' and not exists (
      select from debits where debits.club_id = club_balances.club_id and state = 'reversed')`,
    'less than nothing is on its way': `update club_balances set cents = -1 where account = 'in_transit'`,
  },
  'each closed day is rolled up': {
    'a debit is booked on a closed day': `
      update ledger_entries set booked_on = '2026-11-24' where kind = 'cleared' and booked_on > '2026-11-24'`,
    'a day is rolled up a cent short': `update club_entries set cents = cents - 1 where kind = 'collected' and account = 'collected'`,
    'a day is forgotten': `delete from club_entries where kind = 'collected'`,
  },
  'each remittance equals its days': {
    'a remittance pays a cent too much': 'update remittances set amount_cents = amount_cents + 1',
  },
  'each day is remitted once': {
    'two remittances pay the same day': `
      insert into remittances (club_id, run_date, attempt, amount_cents, first_day, last_day, reference, planned_at)
      select club_id, run_date, 99, amount_cents, first_day - 1, last_day, 'CLCOPY', planned_at
      from remittances where first_day is not null order by first_day limit 1`,
    'a day is passed over': `update remittances set first_day = null, last_day = null where first_day = '2026-11-25'`,
  },
  'what is held back from each remittance is in the reserve': {
    'a remittance says that it holds back more':
      'update remittances set held_back_cents = held_back_cents + 1 where held_back_cents <> 0',
    'the reserve is not booked': `delete from club_entries where kind = 'reserved'`,
  },
  'each failed remittance is retried at most once': {
    'a failed remittance is forgotten although it was paid again': 'update remittances set retried_by = null',
    'a remittance that arrived is paid again': `update remittances set state = 'cleared' where retried_by is not null`,
  },
  'each remittance is booked as its state says': {
    'a remittance came back and was not booked back': `update remittances set state = 'returned' where state = 'cleared'`,
    'one is booked as arrived that is on its way': `update remittances set state = 'submitted' where state = 'cleared'`,
    'one is planned and not booked': `delete from club_entries where kind = 'planned'`,
  },
  'each remittance advice adds up to its remittance': {
    'a remittance is a cent less than its advice': 'update remittances set amount_cents = amount_cents - 1',
    'a day is missing from an advice': `update remittance_advices set facts = facts #- '{days,0}'`,
    'the savings part is counted twice': `
      update remittance_advices set facts = jsonb_set(facts, '{days,0,savings}', to_jsonb((facts#>>'{days,0,savings}')::bigint + 1))`,
  },
};
