-- How often somebody may do something: one row for each bucket that is not full, shared by every server.
-- Unlogged: after a crash everybody begins with a full bucket, and no limit costs a write to the log.
create unlogged table rate_limits (
  key text primary key, -- a hash: a limit needs no names and no addresses
  drained_at timestamptz not null -- when the bucket is full again; a row past it is as good as none
);
