/**
 * A process that writes numbered lines to its standard output until its standard input ends. Tells on its standard error how
 * many lines are dropped at the moment, as `dropped N`, every 200 lines.
 */
import { LogOutput } from './output.ts';

const output = new LogOutput(1, (dropped) => `missing ${dropped}`);
const padding = process.argv[2] ?? '';
let number = 0;
const timer = setInterval(() => {
  for (let index = 0; index < 10; index++) output.write(`line ${++number} ${padding}\n`);
  if (number % 200 === 0) process.stderr.write(`dropped ${output.dropped}\n`);
}, 2);
process.stdin.resume().once('end', () => {
  clearInterval(timer);
  void output.flush(Number(process.argv[3] ?? 20_000)).then(() => {
    process.stderr.write(`${JSON.stringify({ written: number, missing: output.dropped })}\n`);
    // As the service ends: remaining work must not hold it.
    process.exit(0);
  });
});
