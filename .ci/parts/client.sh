# A client that is generated in another language walks the life of a post, a user and a group.

packages_client() {
  install_debian python3-venv || true
  python3 -m venv "$work/python" &&
    "$work/python/bin/pip" install --quiet --disable-pip-version-check -r acceptance/outside/requirements.txt
}

# Runs acceptance/outside/NAME.sh beside a portal of its own.
outside() {
  PATH="$PWD/node_modules/.bin:$PATH" node acceptance/outside/run.ts "acceptance/outside/$1.sh" "$work/python/bin"
}

run_client() {
  step 'a generated Python client walks the life of a post, a user and a group' outside walk
}
