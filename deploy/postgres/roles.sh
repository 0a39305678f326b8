#!/usr/bin/env bash
# Makes the roles of docs/going-live.md and lets them in over TLS alone; run once by the image of PostgreSQL.
set -euo pipefail
psql --set=ON_ERROR_STOP=1 --username=postgres --dbname=sparechange \
  --set=owner="$OWNER_PASSWORD" --set=product="$PRODUCT_PASSWORD" --set=replication="$REPLICATION_PASSWORD" <<'SQL'
create role sparechange_owner login password :'owner';
create role sparechange_product login password :'product';
create role sparechange_replication login replication password :'replication';
alter database sparechange owner to sparechange_owner;
grant sparechange_product to sparechange_owner;
select pg_create_physical_replication_slot('standby');
SQL
cat > "$PGDATA/pg_hba.conf" <<'HBA'
local   all          all                                   trust
host    all          all                      127.0.0.1/32 scram-sha-256
hostssl sparechange  sparechange_owner        samenet      scram-sha-256
hostssl sparechange  sparechange_product      samenet      scram-sha-256
hostssl replication  sparechange_replication  samenet      scram-sha-256
HBA
