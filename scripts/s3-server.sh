#!/usr/bin/env bash
# A real S3 server for the tests, one that keeps to the policies of forms and to signatures: Ceph's gateway on a cluster of
# one node that keeps everything in memory (Debian's packages ceph-mon, ceph-osd, radosgw, ceph-common). Loopback only.
#   scripts/s3-server.sh start DIRECTORY   starts it; DIRECTORY/env then sets PORTICO_TEST_S3:  . DIRECTORY/env
#   scripts/s3-server.sh stop DIRECTORY    ends it and removes the directory
set -euo pipefail
dir=${2:?usage: s3-server.sh start|stop DIRECTORY}

stop() {
  local name pid
  for name in radosgw osd mon; do
    [ -s "$dir/$name.pid" ] || continue
    pid=$(cat "$dir/$name.pid")
    kill "$pid" 2>/dev/null || continue
    timeout 20 tail --pid="$pid" -f /dev/null || kill -9 "$pid"
  done
  rm -rf "$dir"
}

free_port() {
  node -e "const s = require('node:net').createServer().listen(0, '127.0.0.1', () => { console.log(s.address().port); s.close(); })"
}

run() {
  "$2" -c "$dir/ceph.conf" -f "${@:3}" >"$dir/$1.out" 2>&1 </dev/null &
  echo $! >"$dir/$1.pid"
}

start() {
  mkdir -p "$dir/mon" "$dir/osd"
  dir=$(cd "$dir" && pwd)
  local fsid mon gateway id secret
  fsid=$(cat /proc/sys/kernel/random/uuid)
  mon=$(free_port)
  gateway=$(free_port)
  id=$(head -c 12 /dev/urandom | od -An -tx1 | tr -d ' \n')
  secret=$(head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n')
  cat >"$dir/ceph.conf" <<END
[global]
fsid = $fsid
mon host = [v2:127.0.0.1:$mon]
keyring = $dir/keyring
run dir = $dir
log file = $dir/\$name.log
mon data = $dir/mon
mon data avail crit = 1
mon allow pool size one = true
mon max pg per osd = 1000
osd data = $dir/osd
osd objectstore = memstore
osd pool default size = 1
osd pool default pg num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
rgw frontends = beast endpoint=127.0.0.1:$gateway
[osd]
public addr = 127.0.0.1
END
  ceph-authtool "$dir/keyring" --create-keyring --gen-key -n mon. --cap mon 'allow *' >/dev/null
  ceph-authtool "$dir/keyring" --gen-key -n client.admin --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *'
  ceph-authtool "$dir/keyring" --gen-key -n osd.0 --cap mon 'allow profile osd' --cap osd 'allow *'
  monmaptool --create --fsid "$fsid" --addv a "[v2:127.0.0.1:$mon]" "$dir/monmap" >/dev/null
  ceph-mon -c "$dir/ceph.conf" --mkfs -i a --monmap "$dir/monmap" --keyring "$dir/keyring"
  run mon ceph-mon -i a
  timeout 60 ceph -c "$dir/ceph.conf" osd create >/dev/null
  ceph-osd -c "$dir/ceph.conf" -i 0 --mkfs >"$dir/mkfs.out" 2>&1
  run osd ceph-osd -i 0
  timeout 60 radosgw-admin -c "$dir/ceph.conf" user create --uid=test --display-name=Test --access-key="$id" --secret="$secret" >/dev/null 2>"$dir/admin.out"
  run radosgw radosgw -n client.admin
  timeout 60 bash -c "until (exec 3<>/dev/tcp/127.0.0.1/$gateway) 2>/dev/null; do sleep 0.2; done"
  printf "export PORTICO_TEST_S3='%s'\n" "{\"endpoint\":\"http://127.0.0.1:$gateway\",\"accessKeyId\":\"$id\",\"secretAccessKey\":\"$secret\"}" >"$dir/env"
}

case $1 in
  start)
    trap '[ -s "$dir/env" ] || { tail -n 5 "$dir"/*.out >&2; stop; }' EXIT
    start
    ;;
  stop) stop ;;
esac
