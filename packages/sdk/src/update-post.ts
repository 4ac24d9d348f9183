/** Changes a post whose version the caller need not know. */
import { ConfigurationError, ConflictError, type FieldConflict, UpdateConflictError } from './errors.ts';
import type { Output } from './methods.ts';
import type { PostsPatchInput } from './requests.generated.ts';
import type { ResponseWith } from './response-promise.ts';
import type { RequestOptions } from './transport.ts';

/** Changes to a post; omitted members and fields stay unchanged, null empties a field. */
export interface PostChanges extends Omit<PostsPatchInput, 'postId' | 'occToken'> {
  /** Version of the post that the changes are based on (`occToken`). Default: the present one. */
  version?: number | undefined;
}

type Form = Output<'getCustomPostDataForEdit'>;
type AnyInput = Readonly<Record<string, unknown>>;

/** The requests of an update. */
interface Requests {
  read(loadAttachments: boolean, options: RequestOptions): Promise<Form>;
  resolve(input: AnyInput, options: RequestOptions): Promise<AnyInput>;
  patch(input: AnyInput, options: RequestOptions): Promise<ResponseWith<Output<'patchPost'>>>;
}

/** Maximum attempts if others write the same post all the time. */
const ATTEMPTS = 10;

/**
 * Sends the changes with the present version; after another write with the version of that, unless
 * it changed the state or something that the changes contain.
 * @param given the changes with the id of the post
 * @throws UpdateConflictError, ConflictError
 */
export async function updatePost(
  { read, resolve, patch }: Requests,
  given: AnyInput,
  options: RequestOptions,
): Promise<ResponseWith<Output<'patchPost'>>> {
  const { version, ...input } = given;
  const known = version ?? input['occToken'];
  if (known !== undefined) return patch({ ...input, occToken: known }, options);
  if (options.idempotencyKey !== undefined) {
    const reason = 'without one, a repeated call sends another request with the same key.';
    throw new ConfigurationError(`An idempotencyKey needs a version: ${reason}`);
  }
  const { signal, timeoutMs, retries } = options;
  const reading = { signal, timeoutMs, retries };
  const ids = attachmentIdsOf(input);
  const before = await read(ids.length > 0, reading);
  const named = input['customData'] === undefined ? input : { ...input, communityId: before.communityId };
  const { communityId: _, ...changes } = await resolve(named, options);
  let present = before;
  for (let attempt = 1; ; attempt++) {
    try {
      return await patch({ ...changes, occToken: present.occToken }, options);
    } catch (error) {
      const stale = error instanceof ConflictError && error.currentOccToken !== undefined;
      if (!stale || attempt >= ATTEMPTS) throw error;
      present = await read(ids.length > 0, reading);
      const conflicts = conflictsOf(changes, before, present);
      if (conflicts.length > 0) throw new UpdateConflictError(error, conflicts);
    }
  }
}

type Content = NonNullable<Form['contentData']>;

const idsOf = (list: readonly { id?: number }[] | undefined) => (list ?? []).map(({ id }) => id).sort();

/** Values of the edit form by member of the changes. */
const VALUES: Readonly<Record<string, (content: Content) => unknown>> = {
  title: ({ title }) => title,
  description: ({ descriptionDelta }) => descriptionDelta,
  visibility: ({ visibility }) => visibility,
  draft: ({ draft }) => draft,
  scheduledPublication: ({ scheduledPublication }) => scheduledPublication,
  watcherUserIds: ({ watcherUsers }) => idsOf(watcherUsers),
  watcherGroupIds: ({ watcherGroups }) => idsOf(watcherGroups),
};

/** Ids of the attachments that changes update or remove. */
function attachmentIdsOf({ removeAttachmentIds, updateAttachments }: AnyInput): unknown[] {
  const updated = (updateAttachments ?? []) as { attachmentId?: number }[];
  return [...((removeAttachmentIds ?? []) as unknown[]), ...updated.map(({ attachmentId }) => attachmentId)];
}

/** Attachments by id, for the members of the changes that name them. */
function attachmentsOf({ attachments }: Content, ids: readonly unknown[]): unknown {
  return (attachments ?? [])
    .filter(({ id }) => ids.includes(id))
    .map(({ id, name, etag, lastModifyTimestamp }) => ({ id, name, etag, lastModifyTimestamp }));
}

/** Returns the state and the sent values that differ between two forms. */
function conflictsOf(changes: AnyInput, before: Form, present: Form): FieldConflict[] {
  const old = before.contentData ?? {};
  const now = present.contentData ?? {};
  const found: FieldConflict[] = [];
  const compare = (member: string, values: readonly [unknown, unknown], sent: unknown) => {
    if (!same(...values)) found.push({ member, before: values[0], present: values[1], sent });
  };
  compare('currentWorkflowState', [before.currentWorkflowState?.id, present.currentWorkflowState?.id], undefined);
  for (const [member, sent] of Object.entries(changes)) {
    const read = VALUES[member];
    if (read) compare(member, [read(old), read(now)], sent);
  }
  const ids = attachmentIdsOf(changes);
  if (ids.length > 0) compare('attachments', [attachmentsOf(old, ids), attachmentsOf(now, ids)], ids);
  const values = changes['customData'] as Readonly<Record<string, unknown>> | null | undefined;
  if (values === null) compare('customData', [old.customData, now.customData], null);
  for (const [id, sent] of Object.entries(values ?? {}))
    compare(`customData.${id}`, [old.customData?.[id], now.customData?.[id]], sent);
  return found;
}

/** Whether two JSON values are equal. */
function same(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  const of = (value: object, name: string) => (value as Record<string, unknown>)[name];
  return Array.isArray(a) === Array.isArray(b) && [...names].every((name) => same(of(a, name), of(b, name)));
}
