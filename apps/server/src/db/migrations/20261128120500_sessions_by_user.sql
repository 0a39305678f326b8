-- outside a transaction: people sign in while this is built
-- A supporter's download counts their sessions.
drop index concurrently if exists identity.sessions_by_user;
create index concurrently sessions_by_user on identity.sessions (uid);
