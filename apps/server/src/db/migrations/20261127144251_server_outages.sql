-- Times in which a server of buckets does not answer, by the name that BUCKET_SERVERS gives it.
create table server_outages (
  server text primary key,
  since timestamptz not null
);
