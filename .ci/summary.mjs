// Prints the slowest test files and the counts of vitest's JSON reports: node .ci/summary.mjs REPORT.json …
import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';

let passed = 0;
let failed = 0;
let skipped = 0;
const files = [];
for (const path of process.argv.slice(2)) {
  try {
    const report = JSON.parse(readFileSync(path, 'utf8'));
    passed += report.numPassedTests;
    skipped += report.numPendingTests;
    const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
    failed += report.numFailedTests + broken.length;
    for (const { name, startTime, endTime } of report.testResults)
      files.push({
        name: relative('.', name),
        run: basename(path, '.json'),
        seconds: (endTime - startTime) / 1000,
      });
  } catch (error) {
    console.log(`no report: ${error.message}`);
    failed++;
  }
}
console.log(`Skipped tests: ${skipped}`);
console.log('Slowest test files:');
files.sort((a, b) => b.seconds - a.seconds);
for (const { name, run, seconds } of files.slice(0, 10))
  console.log(`${seconds.toFixed(1).padStart(7)} s  ${name} (${run} run)`);
console.log(`\n${passed} passed, ${failed} failed`);
