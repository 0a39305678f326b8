-- Meanings that a person gave to the columns of a bank's CSV file, for the next file of the account with the same first line.
create table bank_statement_mappings (
  account text not null, -- as of its lines
  heading_hash text not null, -- of the first line's names, or of their number where it names none
  mapping jsonb not null,
  saved_at timestamptz not null,
  primary key (account, heading_hash)
);
