-- A remittance that failed is paid again by itself where its cause may pass, and waits for other bank details elsewhere.
alter table remittances
  add column failures smallint not null default 0 check (failures >= 0), -- how often this money has failed in a row
  add column retry_on date; -- of a failed one: the banking day from which it is paid again; null waits for other details

update remittances set failures = 1,
  retry_on = case when coalesce(return_code, 6) in (2, 6, 8) then (settled_at at time zone 'Australia/Sydney')::date end
where state in ('returned', 'reversed', 'refused');
