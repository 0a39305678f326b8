-- Codes and their mails are of four kinds, in the Identity Toolkit's own words (docs/decisions/0078). A code belongs to the
-- address that the user had when it was asked for.
alter table identity.reset_codes rename to oob_codes;
alter table identity.oob_codes
  add column request_type text not null default 'password_reset'
    check (request_type in ('password_reset', 'verify_email', 'verify_and_change_email', 'recover_email')),
  add column email text,
  add column new_email text,
  add column since bigint; -- of a change: void once the sessions of the user from before then have ended
update identity.oob_codes set email = users.email from identity.users where users.uid = oob_codes.uid;
delete from identity.oob_codes where email is null;
alter table identity.oob_codes alter column email set not null;
create index oob_codes_by_uid on identity.oob_codes (uid);

alter table identity.reset_requests rename to oob_requests;
alter index identity.reset_requests_due rename to oob_requests_due;
alter table identity.oob_requests
  add column request_type text not null default 'password_reset'
    check (request_type in ('password_reset', 'verify_email', 'verify_and_change_email', 'recover_email')),
  add column uid text, -- not of a password reset, which may be asked for an address of nobody
  add column new_email text,
  add column since bigint;

-- An address that its user has left is kept for them until then, so that the change can be undone.
alter table identity.addresses add column held_until timestamptz;
create index addresses_held on identity.addresses (uid) where held_until is not null;
