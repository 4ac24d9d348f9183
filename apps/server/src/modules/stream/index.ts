/** The change stream across communities. */

export { forgetReaches, reachesDue } from './access-snapshots.ts';
export { streamHandlers } from './stream.routes.ts';
export { readStreamLag } from './stream-lag.ts';
