# Sourced by .ci/run: a working directory, steps with their durations, packages in the background, and the summary.

work=$(mktemp -d)
chmod 755 "$work"
failed=0
steps=()
cleanups=()
declare -A installing=()

clean_up() {
  local command
  for command in "${cleanups[@]}"; do $command || true; done
  rm -rf "$work"
}
trap clean_up EXIT

# Runs a command, and counts a failure without ending the run.
step() {
  local name=$1 begin=$SECONDS outcome=passed
  printf '\n== %s\n' "$name"
  shift
  if ! "$@"; then
    printf 'FAILED: %s\n' "$*"
    failed=1
    outcome=FAILED
  fi
  steps+=("$(printf '%5d s  %-6s  %s' $((SECONDS - begin)) "$outcome" "$name")")
}

fail() {
  printf 'FAILED: %s\n' "$*"
  failed=1
}

# The server refuses to run as root: use the account that Debian's package makes.
as_postgres() {
  if [ "$(id -u)" = 0 ]; then
    su -s /bin/sh postgres -c "$(printf '%q ' "$@")"
  else
    "$@"
  fi
}

# Installs Debian packages; false where nobody may.
install_debian() {
  [ "$(id -u)" = 0 ] || return 1
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# Installs the packages of all parts, one part after the other, while the tests run.
install_in_background() {
  local part
  (
    if [ "$(id -u)" = 0 ]; then
      apt-get update -qq || true
      # Only the programs are wanted: no cluster that starts by itself.
      mkdir -p /etc/postgresql-common
      printf 'create_main_cluster = false\n' > /etc/postgresql-common/createcluster.conf
    fi
    for part in "$@"; do
      if "packages_${part//-/_}"; then echo 0; else echo 1; fi > "$work/$part.part"
      mv "$work/$part.part" "$work/$part.installed"
    done
  ) > "$work/packages.log" 2>&1 &
  packages_pid=$!
}

# Waits until a part's packages are installed. @returns false where they could not be
wait_for_packages() {
  while [ ! -f "$work/$1.installed" ] && kill -0 "$packages_pid" 2>/dev/null; do sleep 1; done
  if [ "$(cat "$work/$1.installed" 2>/dev/null)" != 0 ]; then
    tail -20 "$work/packages.log"
    return 1
  fi
}

# Runs parts that mostly wait at the same time, and prints their output one after the other.
beside() {
  local part pids=() begin=$SECONDS
  for part in "$@"; do
    (
      steps=()
      failed=0
      wait_for_packages "$part" || fail "the packages of $part could not be installed"
      "run_${part//-/_}"
      [ ${#steps[@]} = 0 ] || printf '%s\n' "${steps[@]}" > "$work/$part.steps"
      exit "$failed"
    ) > "$work/$part.log" 2>&1 &
    pids+=($!)
  done
  local index=0
  for part in "$@"; do
    wait "${pids[$index]}" || failed=1
    cat "$work/$part.log"
    [ ! -f "$work/$part.steps" ] || mapfile -t -O "${#steps[@]}" steps < "$work/$part.steps"
    index=$((index + 1))
  done
}

# Prints the durations, the slowest files, and the counts of all test runs; ends the run.
finish() {
  printf '\nSteps, %d s in all:\n' "$SECONDS"
  printf '%s\n' "${steps[@]}"
  printf '\n'
  node .ci/summary.mjs "$work"/*.json
  exit "$failed"
}
