#!/bin/sh
# Creates the secrets of compose.yaml in the folder secrets/ beside it. Existing ones are kept.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
# Accounts of the containers read the files, which are mounted one by one; on this machine only the owner enters the folder.
write() {
  [ -s "secrets/$1" ] || printf '%s\n' "$2" >"secrets/$1"
  chmod 0444 "secrets/$1"
}
random() { openssl rand -hex "$1"; }
write postgres-password "$(random 24)"
write database-password "$(random 24)"
write database-url "postgres://portico:$(cat secrets/database-password)@database:5432/portico"
write encryption-keys "$(openssl rand -base64 32)"
write s3-key-id "$(random 10)"
write s3-secret "$(random 24)"
echo 'The secrets are in secrets/. Keep a copy of encryption-keys apart from backups.'
