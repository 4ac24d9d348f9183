# The database tests that can differ on Debian's PostgreSQL 15: schema, rights, scopes, plans, lists, the stream, every write.

pg15=/usr/lib/postgresql/15

packages_postgresql_15() {
  [ -x "$pg15/bin/initdb" ] || install_debian postgresql-15
}

on_postgresql_15=(
  src/schema/ src/kernel/ src/operator/ posts/reading/ post-parts/values/ modules/notifications/stream/
  modules/people/users/list-users modules/people/users/uniqueness modules/people/users/groups modules/post-parts/tasks/ modules/imports/import.db
  modules/definitions/changes/ test/query-budget/ test/write-matrix/matrix test/security/permissions
  test/security/rights.db
)

stop_postgresql_15() {
  as_postgres "$pg15/bin/pg_ctl" -D "$pg15_data" -m fast -w stop >/dev/null
  rm -rf "$pg15_data"
}

start_postgresql_15() {
  # In memory where there is room: nobody misses the files, and the disk is what the tests would wait for.
  if [ "$(df --output=avail -B1G /dev/shm 2>/dev/null | tail -1)" -ge 8 ] 2>/dev/null; then
    pg15_data=$(mktemp -d /dev/shm/portico-pg15-XXXXXX)
  else
    pg15_data=$(mktemp -d "$work/pg15-XXXXXX")
  fi
  [ "$(id -u)" != 0 ] || chown postgres "$pg15_data"
  local password port
  password=$(head -c 18 /dev/urandom | base64 | tr -d '/+=')
  printf '%s\n' "$password" > "$work/password"
  chmod 644 "$work/password"
  as_postgres "$pg15/bin/initdb" -D "$pg15_data" -U ci_owner -A scram-sha-256 --pwfile="$work/password" -E UTF8 --locale=C.UTF-8 >/dev/null
  port=$((20000 + RANDOM % 12000))
  as_postgres "$pg15/bin/pg_ctl" -D "$pg15_data" -l "$pg15_data/log" -w \
    -o "-c listen_addresses=127.0.0.1 -c port=$port -c unix_socket_directories=$pg15_data -c fsync=off -c max_connections=200" start >/dev/null
  cleanups+=(stop_postgresql_15)
  pg15_url="postgres://ci_owner:$password@127.0.0.1:$port/postgres"
}

run_postgresql_15() {
  if ! start_postgresql_15; then
    fail 'PostgreSQL 15 did not start'
    return
  fi
  DATABASE_URL=$pg15_url step 'database tests on PostgreSQL 15' \
    npx vitest run "${on_postgresql_15[@]}" \
    --reporter=default --reporter=json --outputFile.json="$work/postgresql-15.json"
}
