/** Work of definition changes on posts. */
import type { WriteScope } from '../../../kernel/access/index.ts';
import { PorticoError } from '../../../kernel/errors.ts';
import { type FieldDefinition, loadFieldsById, type PostWork } from '../../communities/index.ts';
import {
  conditionsHold,
  convertValue,
  isChoice,
  LOST,
  type StoredValue,
  sameValue,
  storedIds,
  textTypeOf,
  typeOf,
} from '../../fields/index.ts';
import { notePendingSearch } from '../../post-parts/index.ts';
import {
  dropFieldGrants,
  heldValue,
  holdPostData,
  type PostData,
  refreshTexts,
  setStates,
  writeFieldOfPosts,
} from '../../posts/index.ts';
import { ChangeKind, recordChanges } from '../../records/index.ts';

/**
 * Ends a change whose request does not allow the loss of values: a value does not fit the new type.
 */
export class ValueLost extends Error {}

/** Posts whose data are in memory at a time: each may hold some megabytes. */
const AT_ONCE = 10;

/** Processes some posts, which are locked until the write ends. */
export async function workOnPosts(
  write: WriteScope,
  work: readonly PostWork[],
  postIds: readonly number[],
): Promise<void> {
  // Nothing is decided by what becomes of the posts.
  if (postIds.length === 0 || write.rehearsal) return;
  for (const part of work) {
    // Read the posts again for each part: the previous part may have changed them.
    if (part.do === 'refreshTexts') {
      for (const id of postIds) await refreshTexts(write, id);
      await notePendingSearch(write.tx, postIds);
    } else
      for (let from = 0; from < postIds.length; from += AT_ONCE)
        await workOnData(write, part, await holdPostData(write, postIds.slice(from, from + AT_ONCE)));
  }
}

async function workOnData(
  write: WriteScope,
  work: Exclude<PostWork, { do: 'refreshTexts' }>,
  posts: readonly PostData[],
): Promise<void> {
  switch (work.do) {
    case 'announce':
      return recordChanges(
        write,
        ChangeKind.TOUCHED,
        posts.map(({ id }) => id),
      );
    case 'moveStates': {
      const moved = posts.flatMap((post) => {
        const move = work.moves.find(
          ({ from, conditions }) =>
            from === post.stateId && conditionsHold(conditions, post.screenData, post.customData),
        );
        return move ? [[post, move.to] as const] : [];
      });
      return setStates(write, new Map(moved));
    }
    case 'dropGrants':
      return dropFieldGrants(write, work.fieldId, posts);
    case 'copyValues':
      return copyValues(write, work, posts);
    case 'moveValues': {
      const field = await fieldOf(write, work.fieldId);
      const moves = new Map(work.values);
      const changed = posts.flatMap((post) => {
        const held = storedIds(heldValue(post, field));
        if (!held.some((id) => moves.has(id))) return [];
        const ids = [...new Set(held.map((id) => (moves.has(id) ? moves.get(id)! : id)))].filter((id) => id !== null);
        const keepsList = typeOf(field).list && ids.length > 0;
        return [[post, keepsList ? ids : ids[0]] as const];
      });
      return writeFieldOfPosts(write, field, new Map<PostData, StoredValue | undefined>(changed));
    }
    case 'clearField': {
      const field = await fieldOf(write, work.fieldId);
      const bare = { ...field, searchable: false, sortable: false };
      return writeFieldOfPosts(write, bare, new Map(posts.map((post) => [post, undefined])));
    }
    case 'indexField': {
      const field = { ...(await fieldOf(write, work.fieldId)), searchable: work.searchable, sortable: work.sortable };
      return writeFieldOfPosts(write, field, new Map(posts.map((post) => [post, heldValue(post, field)])));
    }
  }
}

async function fieldOf(write: WriteScope, id: number) {
  const field = (await loadFieldsById(write.tx, [id])).get(id);
  if (!field) throw new PorticoError('NOT_FOUND');
  return field;
}

async function copyValues(
  write: WriteScope,
  { fromId, toId, onlyEmpty, back, strict }: Extract<PostWork, { do: 'copyValues' }>,
  posts: readonly PostData[],
): Promise<void> {
  const fields = await loadFieldsById(write.tx, [fromId, toId]);
  const [from, to] = [fields.get(fromId)!, fields.get(toId)!];
  const into = onlyEmpty
    ? posts.filter((post) => heldValue(post, to) === undefined && heldValue(post, from) !== undefined)
    : posts;
  const labels = await labelsOf(
    write,
    from,
    into.flatMap((post) => (isChoice(from) ? storedIds(heldValue(post, from)) : [])),
  );
  const values = new Map<PostData, StoredValue | undefined>();
  for (const post of into) {
    const value = heldValue(post, from);
    if (back && (value === undefined || !isNews(from, to, value, heldValue(post, to)))) continue;
    const converted = value === undefined ? undefined : convertValue(from, to, value, (id) => labels.get(id));
    if (converted === LOST) {
      if (strict) throw new ValueLost(`The value of the post ${post.id} cannot be taken over.`);
      if (!onlyEmpty && !back) values.set(post, undefined);
    } else values.set(post, converted);
  }
  await writeFieldOfPosts(write, to, values);
}

/** Returns whether the value in the replacing field differs from the value that it took over. */
function isNews(
  from: FieldDefinition,
  to: FieldDefinition,
  value: StoredValue,
  former: StoredValue | undefined,
): boolean {
  if (former === undefined) return true;
  const taken = convertValue(to, from, former, (id) => to.enumValueById.get(id)?.label);
  return taken === LOST || !sameValue(taken, value);
}

/** Returns labels of values of a field's list or catalog for conversion to text. */
export async function labelsOf(
  { tx, settings }: Pick<WriteScope, 'tx' | 'settings'>,
  field: { readonly catalogId: number | null; readonly enumValues: readonly { id: number; label: string }[] },
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (field.catalogId === null || ids.length === 0)
    return new Map(field.enumValues.map(({ id, label }) => [id, label]));
  const rows = await tx.query<{ id: number; label: Record<string, string> }>(
    'SELECT id, label FROM catalog_entries WHERE tenant_id = $1 AND catalog_id = $2 AND id = ANY ($3::bigint[])',
    [tx.tenantId, field.catalogId, [...new Set(ids)]],
  );
  return new Map(
    rows.map(({ id, label }) => [id, label[settings.defaultLanguage] ?? Object.values(label)[0] ?? String(id)]),
  );
}

/** Returns whether search, mentions or hashtags are computed from the values of the field. */
export const isText = (field: Parameters<typeof textTypeOf>[0]): boolean => textTypeOf(field) !== undefined;
