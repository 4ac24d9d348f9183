/**
 * Checks whether the fields of another community accept the values of a post, as if the mover wrote
 * them there.
 */
import { hasPermission, type WriteScope } from '../../../kernel/access/index.ts';
import type { FieldError, FieldErrors } from '../../../kernel/errors.ts';
import type { CommunityDefinition, FieldDefinition } from '../../communities/index.ts';
import { sameValue } from '../../fields/index.ts';
import { type FieldPath, postCapabilities, validateFieldData } from '../../post-parts/index.ts';
import { postFields } from '../writing/create-posts.ts';
import type { PostState } from '../writing/open-post.ts';
import { type CarriedValue, movedFields, noPlace } from './carried-values.ts';

/** The values of a post in the other community. */
export interface CarriedValues {
  customData: Record<string, unknown>;
  screenData: Record<string, unknown>;
}

/** A post on its way to the other community, before its values are known. */
interface Coming {
  readonly post: PostState;
  readonly from: CommunityDefinition;
  readonly to: CommunityDefinition;
  readonly stateId: number | null;
  /** Values of fields there when the post left, by id; empty if the post was written since. */
  readonly former: Readonly<Record<string, unknown>>;
  /** The screens of the workflow that both communities share are unchanged since the post left. */
  readonly formerScreens: boolean;
}

/**
 * Checks values that a post carries to another community. Managers of that community may fill every
 * field, other users the fields that they may write there. A value that the field held when the
 * post left, and that nobody changed since, comes back unchecked. The error of a value that the
 * request mapped names the item of the mapping; the error of a matched value reports that it has no
 * place.
 */
export async function checkCarried(
  write: WriteScope,
  coming: Coming,
  carried: readonly CarriedValue[],
  errors: FieldErrors,
): Promise<CarriedValues> {
  const { post, from, to } = coming;
  const comesBack = ({ source, target, value }: CarriedValue) =>
    target.owner === 'post'
      ? sameValue(coming.former[String(target.id)], value)
      : coming.formerScreens && source.id === target.id;
  const writes = writableFields(write, coming, dataOf(carried, 'post'));
  const open = carried.filter((one) => comesBack(one) || writes(one.target));
  for (const one of carried) {
    if (open.includes(one)) continue;
    refuse(errors, one, {
      code: 'READ_ONLY_FIELD',
      defaultMessage: 'only who manages the other community fills this field; leave toId out to lose the value.',
    });
  }
  const check = async (owner: FieldDefinition['owner'], fieldPath: FieldPath, fields: readonly FieldDefinition[]) => {
    const own = open.filter(({ target }) => target.owner === owner);
    // The field of a shared workflow held the value already, so it is not checked again.
    const kept = own.filter((one) => comesBack(one) || one.source.id === one.target.id);
    const { stored, errors: found } = await validateFieldData({
      write,
      fields,
      input: dataOf(own.filter((one) => !kept.includes(one))),
      current: dataOf(kept),
      mode: 'patch',
      fieldPath,
      trusted: true,
      carried: true,
    });
    for (const error of found.list) {
      // The next edit asks for required values that the post lacks.
      const one = own.find(({ target }) => target.id === error.customFieldId);
      if (one) refuse(errors, one, error);
    }
    return stored;
  };
  const known = new Set(movedFields(from, post.type).map(({ id }) => String(id)));
  const shared = from.workflow?.id === to.workflow?.id;
  const unknown = Object.entries(post.screenData).filter(([id]) => shared && !known.has(id));
  return {
    customData: await check('post', 'customData', postFields(to, post.type)),
    screenData: {
      ...Object.fromEntries(unknown),
      ...(await check('screen', 'screenData', to.workflow?.fields ?? [])),
    },
  };
}

function dataOf(carried: readonly CarriedValue[], owner?: FieldDefinition['owner']): Record<string, unknown> {
  const of = carried.filter(({ target }) => owner === undefined || target.owner === owner);
  return Object.fromEntries(of.map(({ target, value }) => [String(target.id), value]));
}

/**
 * Returns the test for fields of the other community that the mover may fill: all for a manager,
 * otherwise the fields that a new post or an edit of this one would let the mover write.
 */
function writableFields(
  { actor }: WriteScope,
  { post, to, stateId }: Coming,
  customData: Record<string, unknown>,
): (field: FieldDefinition) => boolean {
  if (hasPermission(actor, to.id, 'manageCommunity')) return () => true;
  const there = { ...post, communityId: to.id, stateId, customData, screenData: {} };
  const { canModify, canEditWorkflowScreenData } = postCapabilities(actor, to, there);
  const screenId = to.workflow?.stateById.get(stateId ?? 0)?.screenId;
  const screen = canEditWorkflowScreenData && screenId != null ? to.workflow?.screenById.get(screenId) : undefined;
  const onScreen = new Set(screen?.fields.map(({ fieldId }) => fieldId));
  return ({ id, owner, readonly, visibleInCreate, visibleInEdit }) =>
    !readonly &&
    (owner === 'post' ? visibleInCreate || (visibleInEdit && canModify) : visibleInEdit && onScreen.has(id));
}

/**
 * Adds the error of a value: at the item of the request that mapped it, otherwise as a missing
 * place.
 */
function refuse(errors: FieldErrors, { source, target, index }: CarriedValue, error: Omit<FieldError, 'field'>): void {
  if (index === undefined) {
    const asked = errors.list.some(({ code, args }) => code === 'MAPPING_REQUIRED' && args?.[0] === source.id);
    if (!asked) errors.push(noPlace(source, target, whyNot(error, target)));
    return;
  }
  // The mover may not see the objects that the value refers to.
  const { args, ...others } = error;
  errors.push({
    ...others,
    ...(args && error.code !== 'UNKNOWN_REFERENCE' && { args }),
    field: `fieldMapping[${index}].toId`,
    defaultMessage: `${target.label}: ${whyNot(error, target)}`,
    customFieldId: target.id,
    ...(target.externalId !== null && { externalId: target.externalId }),
  });
}

function whyNot({ code, defaultMessage = '' }: Omit<FieldError, 'field'>, { label }: FieldDefinition): string {
  if (code === 'UNKNOWN_REFERENCE') return 'the value refers to what this field does not take.';
  return defaultMessage.startsWith(`${label}: `) ? defaultMessage.slice(label.length + 2) : defaultMessage;
}
