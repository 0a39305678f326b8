-- Networks from which a user has proven who they are: guesses from elsewhere cannot shut them out (docs/decisions/0057).
create table identity.known_networks (
  uid text not null,
  network text not null, -- a hash: nobody's address is kept
  seen_at timestamptz not null,
  primary key (uid, network)
);
create index known_networks_by_age on identity.known_networks (seen_at);
