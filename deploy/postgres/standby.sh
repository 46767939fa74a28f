#!/usr/bin/env bash
# The command of a standby, in place of `postgres`: copies the primary if there is nothing here yet, then follows it. Its
# name (STANDBY) is that of its slot, and what synchronous_standby_names calls it. Arguments go to the server.
set -euo pipefail

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # What an interrupted copy left is worth nothing.
  find "$PGDATA" -mindepth 1 -delete
  until pg_basebackup --dbname "host=$PRIMARY_HOST port=${PRIMARY_PORT:-5432} user=replicator" --pgdata "$PGDATA" \
    --wal-method stream --slot "$STANDBY" --checkpoint fast --write-recovery-conf; do
    echo "the primary cannot be copied yet; trying again" >&2
    find "$PGDATA" -mindepth 1 -delete
    sleep 2
  done
  chmod 700 "$PGDATA" # a new volume is open to everybody, and the server refuses that
  # The primary's own rule came with the copy. Once this is the primary it must be set anew, for the standbys there are then.
  sed -i '/^synchronous_standby_names/d' "$PGDATA/postgresql.auto.conf"
fi
# The name by which the primary knows it is its cluster_name.
exec postgres -c "cluster_name=$STANDBY" "$@"
