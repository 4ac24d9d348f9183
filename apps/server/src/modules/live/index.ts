/** Live changes of posts, sent to listeners. */

export type { LiveListener } from './listener.ts';
export { LiveFeed } from './live-feed.ts';
export { type LivePosition, readLivePosition } from './live-position.ts';
