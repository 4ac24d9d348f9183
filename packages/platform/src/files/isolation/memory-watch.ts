/** A thread that ends its process when the process takes more memory than it may. */
import { workerData } from 'node:worker_threads';

const limit = workerData as number;

setInterval(() => {
  if (process.memoryUsage.rss() > limit) process.kill(process.pid, 'SIGKILL');
}, 20);
