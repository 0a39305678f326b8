-- The embedded identity service: its own schema, so that it could be moved away whole.
create schema identity;
