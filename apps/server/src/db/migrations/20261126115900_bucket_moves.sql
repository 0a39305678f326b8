-- A bucket under way to another server, and the server that keeps its former copy.
alter table bucket_servers
  add column moving_to text,
  add column former_server text;
