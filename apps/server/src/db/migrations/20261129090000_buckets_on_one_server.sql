-- All buckets are on the server of `bucket_servers`, which says so of each for the version before. A start refuses a database
-- with a bucket elsewhere, or under way, before it comes to this.
-- contracts 20261126115900_bucket_moves.sql: the version before reads these columns for buckets on several servers and for `ops buckets` alone

alter table bucket_servers
  drop column moving_to,
  drop column former_server;
