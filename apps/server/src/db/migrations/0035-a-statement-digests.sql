-- Digest of the statement lines and settings that the last sync recorded from: from the same ones nothing is recorded again.
alter table supporters add column statement_digest bytea;
