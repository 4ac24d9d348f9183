/** A community with a field of every type, a workflow with a screen, and two members and a reader, for tests of the page. */
import { FieldType } from '@portico/contract';
import { PorticoClient } from '@portico/sdk';
import { addField } from '../../server/src/modules/communities/define-fields.ts';
import {
  createCommunity,
  createWorkflow,
  createWorkspace,
  ensureHashtags,
  type NewField,
  setCommunityRole,
} from '../../server/src/modules/communities/index.ts';
import { PASSWORD, type WebTest } from './support.ts';

/** A name that would run if it became markup. */
export const HOSTILE = '<img src=x onerror="document.title=1">';
/** One pixel. */
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A field of every type; the first is required. */
export const FIELDS: readonly NewField[] = [
  { type: FieldType.ENUM, label: 'Severity', required: true, enumValues: [{ label: 'High' }, { label: 'Low' }] },
  { type: FieldType.INT, label: 'Count' },
  { type: FieldType.BIGINT, label: 'Serial' },
  { type: FieldType.DECIMAL, label: 'Price', metadata: { decimal_digits: '2' } },
  { type: FieldType.DATE, label: 'Day' },
  { type: FieldType.DATETIME, label: 'Moment' },
  { type: FieldType.STRING, label: 'Line' },
  { type: FieldType.ENUM_LIST, label: 'Causes', enumValues: [{ label: 'Water' }, { label: 'Fire' }] },
  { type: FieldType.TEXT_AREA, label: 'Lines' },
  { type: FieldType.FLAG, label: 'Urgent' },
  { type: FieldType.DELTA_AREA, label: 'Notes' },
  { type: FieldType.FEEDBACK, label: 'Rating', metadata: { feedback_max_value: '5' } },
  { type: FieldType.LINK, label: 'Page', readonly: false },
  { type: FieldType.GENERIC_ENTITY_LIST, label: 'Helpers', metadata: { generic_entity_list_config_id: 'core.user' } },
];

export interface ServiceDesk {
  readonly communityId: number;
  /** Ids of fields, by label. */
  readonly fields: ReadonlyMap<string, number>;
  /** Ids of people, by user name. */
  readonly people: ReadonlyMap<string, number>;
  /** Bo, who writes the posts. */
  readonly client: PorticoClient;
  /** Writes a post as Bo. @returns its id */
  write(title: string, body?: object): Promise<number>;
}

export async function makeServiceDesk(web: WebTest): Promise<ServiceDesk> {
  const fields = new Map<string, number>();
  const people = new Map<string, number>();
  const [ada, bo, rea] = [
    await web.createPerson('ada', 'Ada', 'Rossi'),
    await web.createPerson('bo', 'Bo', HOSTILE),
    await web.createPerson('rea', 'Rea', 'Leser'),
  ];
  people.set('ada', ada).set('bo', bo);
  const system = await web.tenant.scope(web.tenant.systemUserId);
  const workspaceId = await createWorkspace(system, { name: 'Operations' });
  const workflow = await createWorkflow(system, {
    title: 'Repair',
    states: [{ name: 'Reported', initial: true }, { name: 'Planned' }, { name: 'Mended' }],
    screenFields: [{ type: FieldType.STRING, label: 'Reason' }],
    screens: [{ name: 'Why', fields: [{ label: 'Reason', required: true }] }],
    transitions: [
      { name: 'Plan', from: 'Reported', to: 'Planned' },
      { name: 'Mend', from: 'Reported', to: 'Mended', screen: 'Why' },
      { name: 'Mend it', from: 'Planned', to: 'Mended', screen: 'Why' },
      { name: 'Give up', from: 'Reported', to: 'Mended' },
      { name: 'Reopen', from: 'Mended', to: 'Reported' },
    ],
  });
  const communityId = await createCommunity(system, {
    workspaceId,
    name: 'Service desk',
    descriptionEnabled: 1,
    attachmentEnabled: true,
    hashtagEnabled: true,
    likeEnabled: true,
    acknowledgeTaskEnabled: true,
    workflowId: workflow.id,
  });
  await setCommunityRole(system, communityId, [ada, bo], 2);
  await setCommunityRole(system, communityId, [rea], 3);
  await ensureHashtags(system, communityId, ['urgent', 'later']);
  for (const field of FIELDS) fields.set(field.label, (await addField(system, { communityId }, field)).id);
  const room = await addField(
    system,
    { communityId },
    {
      type: FieldType.HIERARCHICAL_ENUM,
      label: 'Room',
      parentId: fields.get('Severity')!,
      enumValues: [
        { label: 'Cellar', parents: ['High'] },
        { label: 'Attic', parents: ['Low'] },
      ],
    },
  );
  fields.set('Room', room.id);
  const client = new PorticoClient({ baseUrl: web.origin, credentials: { username: 'bo', password: PASSWORD } });
  const severity = (await client.communities.definition({ communityId })).fieldDefinitions!.find(
    ({ label }) => label === 'Severity',
  )!;
  const write = async (title: string, body: object = {}): Promise<number> => {
    const { postId } = await client.posts.create({
      communityId,
      title,
      announcement: false,
      visibility: 2,
      customData: { [severity.id!]: [severity.enumValues![0]!.id!] },
      ...body,
    });
    return postId!;
  };
  return { communityId, fields, people, client, write };
}
