/** The change stream across communities. */

export { forgetReaches } from './access-snapshots.ts';
export { streamHandlers } from './stream.routes.ts';
export { readStreamLag } from './stream-lag.ts';
