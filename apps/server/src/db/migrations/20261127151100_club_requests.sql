-- Clubs that ask to join (docs/decisions/0136-clubs-that-ask-to-join.md). One whose contact never opened the mailed link, and one
-- that was refused, are deleted after a while.
create table club_requests (
  id uuid primary key default uuidv7(),
  tenant_key text not null, -- on whose pages it asked
  name text not null,
  abn text not null,
  contact_name text not null,
  contact_email text not null,
  suburb text not null,
  purpose text not null, -- of the money
  asked_at timestamptz not null,
  confirmed_at timestamptz, -- by the mailed link
  decided_at timestamptz,
  decided_by text,
  reason text, -- of a refusal, mailed to the contact
  club_id uuid references clubs, -- the one it became
  check ((decided_at is null) = (decided_by is null)),
  check (club_id is null or decided_at is not null)
);
create unique index club_requests_open on club_requests (contact_email, abn) where decided_at is null;
create index club_requests_waiting on club_requests (confirmed_at, id) where confirmed_at is not null and decided_at is null;
