#!/usr/bin/env bash
# Copies the primary on its first start and follows it from then on; `pg_ctl promote` makes it the primary.
set -euo pipefail
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  install -d -m 0700 -o postgres -g postgres "$PGDATA"
  PGPASSWORD=$REPLICATION_PASSWORD gosu postgres pg_basebackup --write-recovery-conf --slot=standby --wal-method=stream \
    --pgdata="$PGDATA" --checkpoint=fast \
    --dbname="host=primary user=sparechange_replication sslmode=verify-full sslrootcert=/certificates/database-ca.crt"
fi
exec docker-entrypoint.sh "$@"
