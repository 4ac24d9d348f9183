/** Replaces a person by a successor in fields of a post. */
import { HistoryType } from '@portico/contract';
import type { WriteScope } from '../../../kernel/access/index.ts';
import type { FieldDefinition } from '../../communities/index.ts';
import { type StoredValue, storedIds } from '../../fields/index.ts';
import { keepVersion, noteModified, postModified, recordHistory } from '../../records/index.ts';
import { heldValue, writeFieldOfPosts } from './change-data.ts';
import { commentOnFields } from './comment-on-fields.ts';
import { raiseTokens } from './edit-rows.ts';
import { holdPostState } from './open-post.ts';

/** A field with a changed value. */
interface Replaced {
  readonly field: FieldDefinition;
  readonly before: StoredValue;
  readonly after: number[];
}

/**
 * Replaces a person by a successor in fields of a post, as an edit by the caller: with tokens, the
 * version that it replaces, history and comments of fields. Checks no rights; the caller writes the
 * change row.
 * @returns the fields that held the person
 */
export async function replacePerson(
  write: WriteScope,
  postId: number,
  fields: readonly FieldDefinition[],
  { from, to }: { from: number; to: number },
): Promise<FieldDefinition[]> {
  const post = await holdPostState(write, postId);
  if (!post) return [];
  const replaced = fields.flatMap((field): Replaced[] => {
    const before = heldValue(post, field);
    const ids = storedIds(before);
    if (before === undefined || !ids.includes(from)) return [];
    return [{ field, before, after: [...new Set(ids.map((id) => (id === from ? to : id)))] }];
  });
  if (replaced.length === 0) return [];
  for (const { field, after } of replaced) await writeFieldOfPosts(write, field, new Map([[post, after]]));
  const [own, ofScreens] = (['post', 'screen'] as const).map((owner) =>
    replaced.filter(({ field }) => field.owner === owner),
  ) as [Replaced[], Replaced[]];
  await raiseTokens(write, postId, { post: own.length > 0, screen: ofScreens.length > 0 });
  await keepVersion(write, post, Object.fromEntries(own.map(({ field, before }) => [`field.${field.id}`, before])));
  await noteModified(write, post);
  await recordReplaced(write, post, own, ofScreens);
  return replaced.map(({ field }) => field);
}

async function recordReplaced(
  write: WriteScope,
  post: { id: number; communityId: number; title: string | null; draft: boolean },
  own: readonly Replaced[],
  ofScreens: readonly Replaced[],
): Promise<void> {
  const idsOf = (some: readonly Replaced[]) => some.map(({ field }) => field.id);
  const valuesOf = (some: readonly Replaced[]) => Object.fromEntries(some.map(({ field, after }) => [field.id, after]));
  if (ofScreens.length > 0)
    await recordHistory(write, {
      typeId: HistoryType.SCREEN_DATA_MODIFIED,
      postId: post.id,
      communityId: post.communityId,
      details: { screenData: valuesOf(ofScreens), screenFieldIds: idsOf(ofScreens) },
    });
  if (own.length === 0) return;
  await recordHistory(write, postModified(post, ['customData'], { changedFieldIds: idsOf(own) }));
  const fields = own.map(({ field }) => field);
  if (!post.draft) await commentOnFields(write, post, fields, idsOf(own), valuesOf(own));
}
