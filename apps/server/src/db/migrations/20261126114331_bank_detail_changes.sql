-- Changes of a club's bank details wait for its contact's word, a second person and two banking days
-- (docs/decisions/0129-two-people.md). The former contact is asked where it was replaced within 30 days.
alter table clubs
  add column former_contact_email text,
  add column contact_changed_at timestamptz;

create function keep_former_contact() returns trigger language plpgsql as $$
begin
  if old.contact_changed_at is null or old.contact_changed_at < now() - interval '30 days' then
    new.former_contact_email = old.contact_email;
  end if;
  new.contact_changed_at = now();
  return new;
end $$;
create trigger clubs_keep_former_contact before update of contact_email on clubs for each row
  when (new.contact_email is distinct from old.contact_email) execute function keep_former_contact();

create table bank_detail_changes (
  id uuid primary key default uuidv7(),
  club_id uuid not null references clubs,
  account_name text,
  bsb_encrypted bytea, -- emptied once the change is applied or cancelled
  account_number_encrypted bytea,
  ends_in text not null, -- the last digits, for people
  contact_email text, -- asked for its word; null: the club had none
  asked_by text not null,
  asked_at timestamptz not null,
  confirmed_at timestamptz, -- by the contact
  agreed_by text,
  agreed_at timestamptz,
  effective_on date, -- two banking days after both
  applied_at timestamptz,
  cancelled_by text,
  cancelled_at timestamptz
);
create unique index bank_detail_changes_open on bank_detail_changes (club_id) where applied_at is null and cancelled_at is null;
