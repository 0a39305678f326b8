-- Progress and results of bank statement imports, shown in the console. The file is not kept: a person imports it again
-- after an import was cut off.
create table bank_statement_imports (
  id uuid primary key default uuidv7(),
  file_name text not null,
  started_at timestamptz not null,
  heard_at timestamptz not null, -- of the last progress
  state text not null check (state in ('reading', 'booking', 'matching', 'done', 'refused', 'failed')),
  done integer not null default 0, -- lines booked, or compared with payments
  total integer not null default 0,
  result jsonb, -- of one that is done
  problem text, -- of one that was refused, as the person is told
  questions text[] not null default '{}' -- fields that answer it
);
create index bank_statement_imports_by_start on bank_statement_imports (started_at);
