#!/usr/bin/env bash
# Run once by the image of PostgreSQL, in /docker-entrypoint-initdb.d, after it made an empty cluster: who may connect, a
# slot for each standby, and that a commit waits for one of them.
set -euo pipefail

psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set arbiter_password="$ARBITER_DB_PASSWORD" --set replication_password="$REPLICATION_PASSWORD" \
  --set monitor_password="$MONITOR_PASSWORD" <<'SQL'
CREATE ROLE arbiter LOGIN PASSWORD :'arbiter_password';
CREATE DATABASE arbiter OWNER arbiter;
CREATE ROLE replicator LOGIN REPLICATION PASSWORD :'replication_password';
CREATE ROLE monitor LOGIN PASSWORD :'monitor_password' IN ROLE pg_monitor;
SELECT pg_create_physical_replication_slot('standby_1', true);
SELECT pg_create_physical_replication_slot('standby_2', true);
-- Not in postgresql.conf: it counts from the next start on, which follows this script. If it counted already, every
-- commit above would wait for standbys that can only be made when this is over.
ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (standby_1, standby_2)';
SQL

echo 'host replication replicator all scram-sha-256' >>"$PGDATA/pg_hba.conf"
