-- A contact that is replaced within thirty days of being a club's first one is asked for its word, too.

create or replace function keep_former_contact() returns trigger language plpgsql as $$
begin
  if old.contact_changed_at is null or old.contact_changed_at < now() - interval '30 days'
    or new.former_contact_email is null then
    new.former_contact_email = old.contact_email;
  end if;
  new.contact_changed_at = now();
  return new;
end $$;
