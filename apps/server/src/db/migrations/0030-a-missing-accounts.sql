-- When the supporter was last mailed that the bank no longer shows the account; kept when it comes back, so that an
-- account that comes and goes is not mailed about each time.
alter table accounts add column missing_mailed_at timestamptz;
