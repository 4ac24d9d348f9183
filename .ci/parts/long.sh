# A fuzzer of the OpenAPI document, a small bench, and the tests that have a long form at full length.

packages_long() { :; }

run_fuzzer() {
  step 'a fuzzer finds nothing between the document and the answers' outside fuzz
}

run_bench() {
  step 'a small bench, checked instead of measured' npm run bench -- --posts 10000 --smoke
}

run_long() {
  local part
  for part in fuzzer bench; do echo 0 > "$work/$part.installed"; done
  beside fuzzer bench
  step 'npm run test:full' npm run test:full -- --reporter=default --reporter=json --outputFile.json="$work/full.json"
}
