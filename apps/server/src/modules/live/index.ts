/** Changes of posts, sent to those who listen while they happen. */

export type { LiveListener } from './listener.ts';
export { LiveFeed } from './live-feed.ts';
export { type LivePosition, readLivePosition } from './live-position.ts';
