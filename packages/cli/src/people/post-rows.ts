/** Posts as rows: their members and fields by the names that people know. */
import {
  type BaseListPostsElement,
  type FieldType,
  fieldTypes,
  type GetPostDefinitionResponse,
  type GetPostDetailResponse,
} from '@portico/contract';
import type { Named } from '@portico/sdk';
import { shownMoment } from '../output.ts';
import { fieldsOf, labelledValues, nameOf } from './labels.ts';

/** A post as `--json`, `--jq` and `--template` see it. Absent members have no value. */
export interface PostRow {
  id: number;
  url: string;
  community: string;
  title?: string;
  state?: string;
  author?: string;
  created?: string;
  modified?: string;
  modifiedBy?: string;
  visibility?: 'public' | 'private';
  comments?: number;
  /** Values of custom fields by label. */
  fields: Record<string, unknown>;
  /** Values of workflow screens by label. */
  screen?: Record<string, unknown>;
  /** The text of the post, without formats. */
  text?: string;
}

const moment = (ms: number | undefined) => (ms === undefined ? undefined : shownMoment(ms));

/**
 * Returns a post with labels for ids.
 * @param page address of its page
 * @param community name of its community
 */
export function rowOf(
  post: Partial<BaseListPostsElement> & Pick<GetPostDetailResponse, 'currentWorkflowScreenData'>,
  page: string,
  community: string,
  definition: GetPostDefinitionResponse,
): PostRow {
  const { ofPosts, ofScreens } = fieldsOf(definition);
  const screen = labelledValues(ofScreens, post.currentWorkflowScreenData);
  const row: PostRow = {
    id: post.id as number,
    url: page,
    community,
    title: post.title,
    state: post.currentWorkflowState?.name,
    author: nameOf(post.creatorUser),
    created: moment(post.creationTimestamp),
    modified: moment(post.lastModifyTimestamp),
    modifiedBy: nameOf(post.lastModifyUser),
    visibility: post.visibility === 1 ? 'private' : 'public',
    comments: post.commentsCount,
    fields: labelledValues(ofPosts, post.customData),
    ...(Object.keys(screen).length > 0 && { screen }),
    text: post.descriptionPlainText?.trimEnd(),
  };
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as unknown as PostRow;
}

/** A column of a list of posts. */
export interface PostColumn {
  label: string;
  value(row: PostRow): unknown;
}

const MEMBERS = [
  'id',
  'title',
  'state',
  'author',
  'created',
  'modified',
  'modifiedBy',
  'visibility',
  'comments',
  'community',
  'text',
  'url',
] as const satisfies readonly (keyof PostRow)[];

const member = (label: (typeof MEMBERS)[number]): PostColumn => ({ label, value: (row) => row[label] });
const field = (label: string): PostColumn => ({ label, value: ({ fields }) => fields[label] });

/** Fields that a list shows without `--columns`. */
const SHOWN_FIELDS = 3;

/** Whether the values of a type fit into a column. */
function isShort(type: number | undefined): boolean {
  const facts = fieldTypes[type as FieldType];
  return facts !== undefined && facts.kind !== 'richText' && facts.textForm === undefined;
}

/**
 * Returns the columns by name: members of posts, and fields by label, external id or number.
 * Without names: id, title, state, the first short fields that previews show, and the time of the
 * last change.
 * @throws UnknownNameError
 */
export async function columnsOf(
  definition: GetPostDefinitionResponse,
  names: readonly string[] | undefined,
): Promise<PostColumn[]> {
  const { fieldDefinitions = [], workflowDefinition } = definition;
  if (!names) {
    const shown = fieldDefinitions
      .filter(({ visibleInPreview, label, type }) => visibleInPreview && label && isShort(type))
      .slice(0, SHOWN_FIELDS);
    const hasStates = (workflowDefinition?.states ?? []).length > 0;
    return [
      member('id'),
      member('title'),
      ...(hasStates ? [member('state')] : []),
      ...shown.map(({ label }) => field(String(label))),
      member('modified'),
    ];
  }
  const { findNamed, unknownName } = await import('@portico/sdk');
  const known: Named[] = fieldDefinitions;
  return names.map((name) => {
    const own = MEMBERS.find((each) => each.toLowerCase() === name.toLowerCase());
    if (own) return member(own);
    const found = findNamed(known, name);
    if (found?.label) return field(found.label);
    throw unknownName('column', [...MEMBERS.map((label) => ({ label })), ...known], name);
  });
}
