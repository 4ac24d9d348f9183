/** The change stream across communities. */

export { renewStream } from './renew-stream.ts';
export { forgetOldChanges, STREAM_RETENTION_MS, sequenceChanges } from './sequencer.ts';
export { streamHandlers } from './stream.routes.ts';
export { readStreamLag } from './stream-lag.ts';
