-- safe: the default partition has its index, and the first partition of a year, made ahead of it, has no rows yet
create index ledger_club_by_supporter on ledger_entries (club_id, supporter_id, booked_on) include (cents)
  where account = 'club_payable';
