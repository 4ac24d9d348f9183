# Files on an S3 server, rolling restarts behind Debian's proxies, faults of a PostgreSQL under Patroni, and the places to run.

packages_services() {
  # As for PostgreSQL: only the programs are wanted, no services that start by themselves.
  install_debian nginx-light haproxy caddy prometheus ceph-mon ceph-osd radosgw postgresql-15 etcd-server python3-venv &&
    # Debian's Python, since the account of the database cannot read one below the home of root.
    (umask 022 && /usr/bin/python3 -m venv "$work/patroni" &&
      "$work/patroni/bin/pip" install --quiet --disable-pip-version-check 'patroni[etcd3]==4.1.5' 'psycopg[binary]')
}

stop_s3() { scripts/s3-server.sh stop "$work/s3"; }

run_s3() {
  PATH="$PWD/node_modules/.bin:$PATH" step 'an S3 server' scripts/s3-server.sh start "$work/s3"
  s3_tests() {
    . "$work/s3/env"
    npx vitest run platform/src/files/s3 files/store/flow files/store/take-in process/check-storage --reporter=default \
      --reporter=json --outputFile.json="$work/s3.json"
  }
  step 'files on S3' s3_tests
  s3_backups() {
    . "$work/s3/env"
    npx vitest run test/process/backup-log test/process/backup.db -t 'a bucket' --reporter=default \
      --reporter=json --outputFile.json="$work/s3-backups.json"
  }
  step 'backups and the archived log in a bucket on S3' s3_backups
  stop_s3
}
packages_s3() { :; }

run_proxies() {
  step 'rolling restarts behind proxies' node_modules/.bin/node examples/proxies/try.mjs
}

run_patroni() {
  step 'three faults of PostgreSQL under Patroni' node_modules/.bin/node examples/ha/rehearse.mjs \
    --patroni "$work/patroni/bin" 'both killed' 'a node of Portico killed' 'a planned switchover'
}

run_places() {
  PATH="$PWD/node_modules/.bin:$PATH" step 'places to run, in a plain folder' node_modules/.bin/node deploy/try.mjs
}

run_services() {
  local part
  for part in s3 proxies patroni places; do cp "$work/services.installed" "$work/$part.installed"; done
  beside s3 proxies patroni places
}
