// biome-ignore-all lint/suspicious/noTemplateCurlyInString: sources hold templates.
/**
 * Planted faults: each is a text of a source file and its replacement, which the tests of a layer must find
 * (`npm run test:faults`). `npm run check` verifies that each text still occurs exactly once.
 */

/** A planted fault. */
export interface Fault {
  readonly name: string;
  /** Path from the root of the repository. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** The layer that finds it; `npm test` runs `unit` and `modules`. */
  readonly layer: 'unit' | 'modules' | 'system';
  /** Parts of the paths of the test files that find it first. */
  readonly tests: readonly string[];
}

const SERVER = 'apps/server/src';
const PLATFORM = 'packages/platform/src';

export const faults: readonly Fault[] = [
  {
    name: 'no slot of the database is reserved for reads',
    file: `${PLATFORM}/db/fair-queue.ts`,
    find: 'this.#reserve = size >= 4 ? 1 : 0;',
    replace: 'this.#reserve = 0;',
    layer: 'unit',
    tests: ['db/fair-queue'],
  },
  {
    name: 'an outgoing request reaches internal addresses by name',
    file: `${PLATFORM}/outgoing/index.ts`,
    find: 'const allowed = found.filter(({ address }) => accepts(address));',
    replace: 'const allowed = found;',
    layer: 'unit',
    tests: ['platform/src/outgoing'],
  },
  {
    name: 'the final sigma is not folded',
    file: `${PLATFORM}/text/fold.ts`,
    find: ".toLowerCase().replaceAll('ς', 'σ')",
    replace: '.toLowerCase()',
    layer: 'unit',
    tests: ['text/normalise'],
  },
  {
    name: 'offsets west of UTC count as east',
    file: `${PLATFORM}/time/zoned.ts`,
    find: "return offset.startsWith('-') ? -ms : ms;",
    replace: 'return ms;',
    layer: 'unit',
    tests: ['platform/src/time'],
  },
  {
    name: 'a rich text links to any scheme',
    file: `${PLATFORM}/richtext/links.ts`,
    find: 'return scheme === undefined || schemes.has(scheme.toLowerCase()) ? bare : null;',
    replace: 'return scheme === undefined || schemes.size > 0 ? bare : null;',
    layer: 'unit',
    tests: ['platform/src/richtext'],
  },
  {
    name: 'a sealed value opens at another place',
    file: `${PLATFORM}/sealing/index.ts`,
    find: 'cipher.setAAD(associatedData(header, place));',
    replace: "cipher.setAAD(associatedData(header, { ...place, table: 'any' } as typeof place));",
    layer: 'unit',
    tests: ['platform/src/sealing'],
  },
  {
    name: 'one failure more than the limit is accepted',
    file: `${SERVER}/kernel/failure-limit.ts`,
    find: 'if (units < most) return;',
    replace: 'if (units <= most) return;',
    layer: 'unit',
    tests: ['kernel/failure-limit'],
  },
  {
    name: 'quotes of a file name are not escaped',
    file: `${PLATFORM}/files/disposition.ts`,
    find: String.raw`.replaceAll(/["\\%]/g, '_')`,
    replace: '',
    layer: 'unit',
    tests: ['files/disposition'],
  },
  {
    name: 'the page opens addresses of any protocol',
    file: 'apps/web/src/content/link-of.ts',
    find: "return url && ['http:', 'https:'].includes(url.protocol) ? url.href : undefined;",
    replace: 'return url?.href;',
    layer: 'unit',
    tests: ['content/link-of'],
  },
  {
    name: 'lists answer people without a role in the community',
    file: `${SERVER}/modules/posts/reading/list/list-posts.ts`,
    find: 'seesCommunity(scope.actor, communityId) ? await getDefinition(scope, communityId) : undefined',
    replace: 'await getDefinition(scope, communityId)',
    layer: 'modules',
    tests: ['reading/list-http'],
  },
  {
    name: 'drafts of others are visible',
    file: `${SERVER}/kernel/access/visibility.ts`,
    find: ' AND ${alias}.creator_id = ${parameters.add(actor.userId)} AND',
    replace: ' AND ${parameters.add(actor.userId)}::bigint IS NOT NULL AND',
    layer: 'modules',
    tests: ['reading/list', 'own-work', 'security/permissions'],
  },
  {
    name: 'members of groups with a right change without that right',
    file: `${SERVER}/kernel/access/rights.ts`,
    find: "mustHoldRights(actor, row?.rights ?? [], 'This group');",
    replace: "mustHoldRights(actor, [], 'This group');",
    layer: 'modules',
    tests: ['security/rights.db', 'people/users/groups'],
  },
  {
    name: 'an administrator blocks their own account',
    file: `${SERVER}/modules/people/users/block-user.ts`,
    find: 'if (userId === actor.userId)',
    replace: 'if (userId === 0)',
    layer: 'modules',
    tests: ['people/users/user-access'],
  },
  {
    name: 'a personal token names communities without a role',
    file: `${SERVER}/modules/people/auth/personal-tokens.ts`,
    find: 'if (unknown.length > 0)',
    replace: 'if (unknown.length > 1_000)',
    layer: 'modules',
    tests: ['people/auth/personal-tokens'],
  },
  {
    name: 'an assertion lives as long as it says',
    file: `${SERVER}/modules/people/auth/service-account.ts`,
    find: 'if (exp - iat > MAX_ASSERTION_SECONDS || exp <= iat)',
    replace: 'if (exp <= iat)',
    layer: 'modules',
    tests: ['http/http.db'],
  },
  {
    name: 'a like of a post is no change of the stream',
    file: `${SERVER}/modules/records/events/record-post.ts`,
    find: '  await recordChange(write, postId, kind, same ? undefined : readers);',
    replace: '  if (touch?.likes === undefined) await recordChange(write, postId, kind, same ? undefined : readers);',
    layer: 'modules',
    tests: ['modules/notifications/stream', 'modules/post-parts/comments'],
  },
  {
    name: 'anybody edits comments',
    file: `${SERVER}/modules/post-parts/comments/edit-comment.ts`,
    find: 'if (!commentCapabilities(about, comment).canEdit) {',
    replace: 'if (commentCapabilities(about, comment) === undefined) {',
    layer: 'modules',
    tests: ['post-parts/comments/edit-comment'],
  },
  {
    name: 'a transition runs without its permission',
    file: `${SERVER}/modules/posts/workflow/execute-operation.ts`,
    find: "if (!mayRunTransition(write.actor, transition, post)) throw forbidden('You may not run this transition.');",
    replace: '',
    layer: 'modules',
    tests: ['modules/posts/workflow'],
  },
  {
    name: 'a stale screen token is accepted',
    file: `${SERVER}/modules/posts/workflow/execute-operation.ts`,
    find: 'if (input.screenOccToken !== undefined && input.screenOccToken !== post.screenVersion)',
    replace: 'if (input.screenOccToken !== undefined && input.screenOccToken > post.screenVersion)',
    layer: 'modules',
    tests: ['modules/posts/workflow'],
  },
  {
    name: 'every member shares views with the community',
    file: `${SERVER}/modules/posts/views/write-views.ts`,
    find: "if (shared && !hasPermission(write.actor, communityId, 'shareViews')) throw lacksShareViews();",
    replace: '',
    layer: 'modules',
    tests: ['modules/posts/views'],
  },
  {
    name: 'notifications show hidden comments',
    file: `${SERVER}/modules/notifications/visible-notifications.ts`,
    find: "where: [visible, `(n.comment_id IS NULL OR ${seesCommentsSql('c', comments)})`] };",
    replace: 'where: [visible, `(${comments} OR true)`] };',
    layer: 'modules',
    tests: ['modules/notifications'],
  },
  {
    name: 'a stream page repeats the whole portal',
    file: `${SERVER}/modules/notifications/stream/read-stream.ts`,
    find: 'segment: from ? 0 : 1,',
    replace: 'segment: 1,',
    layer: 'modules',
    tests: ['modules/notifications/stream'],
  },
  {
    name: 'a download link shows the file in the browser',
    file: `${SERVER}/modules/files/store/serve-file.ts`,
    find: "download: p === 'download',",
    replace: 'download: false,',
    layer: 'modules',
    tests: ['files/store/serve', 'files/store/flow', 'posts/attachments'],
  },
  {
    name: 'every origin reads answers',
    file: `${SERVER}/http/cors.ts`,
    find: "if (!settings.corsOrigins.includes(origin) && !settings.corsOrigins.includes('*')) return;",
    replace: '',
    layer: 'modules',
    tests: ['http/http.db', 'http/'],
  },
  {
    name: 'a secret is stored with its Idempotency-Key',
    file: 'packages/contract/src/schemas/secrets.ts',
    find: "    return schema['x-secret'] ? [] : [[field, memberWithoutSecrets(schema, value)]];",
    replace: '    return [[field, memberWithoutSecrets(schema, value)]];',
    layer: 'system',
    tests: ['security/tokens', 'write-matrix/matrix'],
  },
  {
    name: 'a repeated request is answered after the right is lost',
    file: `${SERVER}/kernel/run-write.ts`,
    find: '    await mustStillSee(tx, scope.actor, operation, params, known.response);\n',
    replace: '',
    layer: 'system',
    tests: ['write-matrix/matrix'],
  },
  {
    name: 'a dry run is committed',
    file: `${SERVER}/kernel/run-write.ts`,
    find: '{ rollback: dryRun },',
    replace: '{ rollback: false },',
    layer: 'system',
    tests: ['write-matrix/dry-run.db'],
  },
  {
    name: 'the quota of files is summed up without a lock',
    file: `${SERVER}/modules/files/store/quota.ts`,
    find: '  await lockRoom(tx);\n',
    replace: '',
    layer: 'modules',
    tests: ['files/attachments/quota', 'files/store/upload'],
  },
  {
    name: 'two writes of a post do not wait for each other',
    file: `${SERVER}/modules/post-parts/common/post-row.ts`,
    find: '= $2 FOR NO KEY UPDATE',
    replace: '= $2',
    layer: 'system',
    tests: ['write-matrix/matrix', 'write-matrix/interleaving'],
  },
  {
    name: 'the sender of a mail does not wait between attempts',
    file: `${SERVER}/modules/people/mails/mail-sender.ts`,
    find: 'const FIRST_WAIT_MS = 60_000;',
    replace: 'const FIRST_WAIT_MS = 0;',
    layer: 'modules',
    tests: ['modules/people/mails'],
  },
];
