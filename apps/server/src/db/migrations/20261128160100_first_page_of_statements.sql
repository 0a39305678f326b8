-- outside a transaction: the ledger is large and written to by everything

-- A page of a club's statement reads its supporters one after the other, and counts and adds up all of them, from an index alone.
-- The whole ledger's index, made next, takes this one in.
drop index concurrently if exists ledger_club_default_by_supporter;
create index concurrently ledger_club_default_by_supporter on ledger_entries_default (club_id, supporter_id, booked_on)
  include (cents) where account = 'club_payable';
