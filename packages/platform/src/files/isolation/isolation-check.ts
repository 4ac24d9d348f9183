/** A process that says whether it can load the native packages, in the place of one that looks at files. */
await Promise.all([import('sharp'), import('@napi-rs/canvas')]);
process.send?.('loaded');
// Until the parent ends it or goes.
process.on('disconnect', () => process.exit(0));
