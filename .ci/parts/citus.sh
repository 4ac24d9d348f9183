# Database tests on a Citus cluster, faults of its nodes, and a move to it.

citus_directory=$work/citus
citus_script=../shared/tools/citus-cluster.sh

packages_citus() {
  install_debian postgresql-15 postgresql-server-dev-15 gcc make xz-utils libssl-dev libxml2-dev libxslt1-dev \
    libkrb5-dev libpam0g-dev libselinux1-dev libreadline-dev zlib1g-dev liblz4-dev libzstd-dev || true
  # Without the script that makes a cluster, the run says that it ran nothing.
  [ -f "$citus_script" ] || return 0
  mkdir -p "$citus_directory"
  chmod 755 "$citus_directory"
  # Building takes some minutes of both cores, while the tests of this run use them.
  nice -n 19 sh "$citus_script" start "$citus_directory" "$((6000 + RANDOM % 4000))" && sh "$citus_script" stop "$citus_directory"
}

run_citus() {
  PORTICO_TEST_CITUS=$citus_directory step 'npm run test:citus' \
    npm run test:citus -- --reporter=default --reporter=json --outputFile.json="$work/citus.json"
}
