-- The database server of each bucket of supporters; `control` is the server of this table.
create table bucket_servers (
  bucket int primary key,
  server text not null
);
