// Keeps a community as a local NDJSON file: all posts at first, then every change, for as long as it runs.
// usage: node examples/sync-community.mjs BASE_URL KEY_FILE COMMUNITY_ID OUT.ndjson [--once]
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

await (await import('./node-24.mjs')).useNode24();
const { PorticoClient } = await import('@portico/sdk');
const [baseUrl, serviceAccount, community, out, once] = process.argv.slice(2);
const client = new PorticoClient({ baseUrl, credentials: { serviceAccount } });
const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
const replace = (path, text) => {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
};
const known = read(out).split('\n').filter(Boolean);
const posts = new Map(known.map((line) => [JSON.parse(line).id, line]));
const onSync = (token) => {
  replace(out, [...posts.values(), ''].join('\n')); // the posts before the token: a break repeats, it loses nothing
  replace(`${out}.token`, token);
};
const syncToken = read(`${out}.token`) || undefined;
for await (const post of client.changes.follow({ syncToken, once: !!once, onSync })) {
  if (post.deleted) posts.delete(post.id);
  else if (post.communityId === Number(community)) posts.set(post.id, JSON.stringify(post));
}
