#!/bin/sh
# Runs once, when the volume of the database is empty: creates the role and the database of Portico.
set -eu
psql --username=postgres --dbname=postgres --set=ON_ERROR_STOP=1 --set=password="$(cat "$PORTICO_PASSWORD_FILE")" <<'SQL'
CREATE ROLE portico LOGIN CREATEROLE PASSWORD :'password';
CREATE DATABASE portico OWNER portico ENCODING 'UTF8' TEMPLATE template0;
SQL
