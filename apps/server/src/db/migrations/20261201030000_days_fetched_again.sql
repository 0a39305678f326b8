-- A provider's day that was taken back is fetched again the next night, though later days are known. The version before
-- leaves the column empty; what it fetches and then takes back is not asked for again.

alter table bank_statements add column fetched_day date; -- Sydney day of a provider's entries; null for a file

create table bank_statement_days_taken_back (
  account text not null, -- as of its lines
  day date not null,
  primary key (account, day)
);
