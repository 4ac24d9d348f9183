/**
 * Editing: the interface replaces what it is sent, so a command reads the form, changes only what was named, and writes
 * with the token that it read.
 */
import type { OperationId } from '@portico/contract';
import type { PorticoClient, RequestOptions } from '@portico/sdk';

type Values = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: forms have a shape of their own each; each function below knows its own
type Form = Record<string, any>;

/** How one operation is edited through its form. */
export interface EditFlow {
  /** Reads what is there now. `keys` are the path parameters that say which object. */
  read(client: PorticoClient, keys: Values, options: RequestOptions): Promise<Form>;
  /** The token of the form. */
  token(form: Form): number | undefined;
  /** Where the token goes: a path parameter or a field of the body. */
  tokenName: 'occToken' | 'screenOccToken';
  /** What resending the form unchanged looks like. */
  body(form: Form): Values;
}

type Sdk = typeof import('@portico/sdk');

/** Edits by operation. @param writableValues from the client library */
export function editFlows(writableValues: Sdk['writableValues']): Partial<Record<OperationId, EditFlow>> {
  const number = (keys: Values, name: string) => keys[name] as number;
  const postForm = (form: Form): Values => ({
    title: form['contentData']?.title,
    description: form['contentData']?.descriptionDelta,
    visibility: form['contentData']?.visibility,
  });
  const editForm: EditFlow['read'] = (client, keys, options) =>
    client.posts.editForm({ postId: number(keys, 'postId'), loadAttachments: false }, options) as Promise<Form>;
  const token = (form: Form) => form['occToken'] as number | undefined;
  const occToken = { token, tokenName: 'occToken' } as const;
  const eventBody = (form: Form): Values => ({
    ...postForm(form),
    coverImageContentRef: form['contentData']?.coverImageContentRef,
    linkPreview: form['linkPreview'],
    event: eventInput(form['contentData']?.event),
  });
  return {
    editCustomPost: {
      ...occToken,
      read: editForm,
      body: (form) => ({ ...postForm(form), customData: writableValues(form['contentData']?.customData) }),
    },
    editPostCustomData: {
      ...occToken,
      read: editForm,
      body: (form) => ({ customData: writableValues(form['contentData']?.customData) }),
    },
    copyCustomPost: {
      ...occToken,
      read: (client, keys, options) =>
        client.posts.copyForm({ postId: number(keys, 'postId') }, options) as Promise<Form>,
      body: (form) => ({
        ...postForm(form),
        announcement: form['contentData']?.announcement ?? false,
        customData: writableValues(form['contentData']?.customData),
        addAttachments: kept(form['contentData']?.attachments),
      }),
    },
    editEventPost: {
      ...occToken,
      read: (client, keys, options) =>
        client.posts.editEventForm(
          { postId: number(keys, 'postId'), loadAttachments: false },
          options,
        ) as Promise<Form>,
      body: eventBody,
    },
    copyEventPost: {
      ...occToken,
      read: (client, keys, options) =>
        client.posts.copyEventForm({ postId: number(keys, 'postId') }, options) as Promise<Form>,
      body: (form) => ({
        ...eventBody(form),
        announcement: form['contentData']?.announcement ?? false,
        addAttachments: kept(form['contentData']?.attachments),
      }),
    },
    editTask: {
      ...occToken,
      read: (client, keys, options) => client.tasks.get({ taskId: number(keys, 'taskId') }, options) as Promise<Form>,
      body: taskBody,
    },
    editUser: {
      ...occToken,
      read: (client, keys, options) => client.users.form({ userId: number(keys, 'userId') }, options) as Promise<Form>,
      body: ({ firstname, lastname, contactEmail, privateEmail, externalId }) => ({
        firstname,
        lastname,
        contactEmail,
        privateEmail,
        externalId,
      }),
    },
    editUserCredentials: {
      ...occToken,
      read: (client, keys, options) =>
        client.users.credentialsForm({ userId: number(keys, 'userId') }, options) as Promise<Form>,
      // A block that is left out is kept.
      body: () => ({}),
    },
    editGroup: {
      ...occToken,
      read: (client, keys, options) =>
        client.groups.form({ groupId: number(keys, 'groupId') }, options) as Promise<Form>,
      body: ({ name, email, externalId, visible }) => ({ name, email, externalId, visible }),
    },
    editWorkspace: {
      ...occToken,
      read: (client, keys, options) =>
        client.workspaces.form({ workspaceId: number(keys, 'workspaceId') }, options) as Promise<Form>,
      body: ({ contentData }) => ({
        name: contentData?.name,
        translations: contentData?.translations,
        description: contentData?.description,
      }),
    },
    editCatalog: {
      ...occToken,
      read: (client, keys, options) =>
        client.catalogs.form({ catalogId: number(keys, 'catalogId') }, options) as Promise<Form>,
      body: ({ contentData }) => ({
        name: contentData?.name,
        parentId: contentData?.parentCatalog?.id,
        deleted: contentData?.deleted,
      }),
    },
    editCatalogEntry: {
      ...occToken,
      read: (client, keys, options) =>
        client.catalogs.entryForm(
          { catalogId: number(keys, 'catalogId'), entryId: number(keys, 'entryId') },
          options,
        ) as Promise<Form>,
      body: ({ label, externalId, deleted, parents }) => ({
        label,
        externalId,
        deleted,
        parentIds: directParents(parents),
      }),
    },
    editPostWorkflowScreenData: {
      token: (form) => form['screenOccToken'] as number | undefined,
      tokenName: 'screenOccToken',
      read: (client, keys, options) =>
        client.workflow.screen({ postId: number(keys, 'postId') }, options) as Promise<Form>,
      body: (form) => ({ screenData: writableValues(form['screenData']) }),
    },
    executePostWorkflowOperation: {
      token: (form) => form['screenOccToken'] as number | undefined,
      tokenName: 'screenOccToken',
      read: async (client, keys, options) => {
        const postId = number(keys, 'postId');
        const workflowOperationId = number(keys, 'workflowOperationId');
        const { workflowPermittedOperations = [] } = await client.posts.capabilities({ postId }, options);
        // One without a screen takes `{}`; reading a screen that it has not got would fail.
        if (!workflowPermittedOperations.find(({ id }) => id === workflowOperationId)?.screen) return {};
        return client.workflow.screen({ postId, workflowOperationId }, options) as Promise<Form>;
      },
      body: (form) => (form['screen'] ? { screenData: writableValues(form['screenData']) } : {}),
    },
  };
}

/** A copy takes attachments over by their ids. */
function kept(attachments: { id?: number }[] | undefined): Values[] | undefined {
  return attachments?.map(({ id }) => ({ attachmentId: id }));
}

function taskBody(form: Form): Values {
  const { expiration, subTasks } = form as { expiration?: Form; subTasks?: Form[] };
  return {
    title: form['title'],
    descriptionDelta: form['descriptionDelta'],
    expiration: expiration && { datetime: expiration['localDatetime'], timezone: expiration['timezone'] },
    priority: form['priority'],
    assigneeUserId: form['assigneeUser']?.id,
    assigneeGroupId: form['assigneeGroup']?.id,
    subTasks: subTasks?.map(({ id, description, state }) => ({ id, description, state })),
  };
}

function eventInput(event: Form | undefined): Values | undefined {
  if (!event) return undefined;
  const local = (time: Form | undefined) => time && { localDatetime: time['localDatetime'] };
  const invited = (list: Form[] | undefined) => list?.map(({ id, typeId }) => ({ id, typeId }));
  const { invitations } = event as { invitations?: Form };
  return {
    startAt: local(event['startAt']),
    endAt: local(event['endAt']),
    timezone: event['timezone'],
    allDay: event['allDay'],
    location: event['location'],
    invitations: invitations && {
      users: invited(invitations['users']),
      groups: invited(invitations['groups']),
      sendEditPostNotifications: invitations['sendEditPostNotifications'],
    },
  };
}

/** The form tells all ancestors; the direct parents are those that no other ancestor has for its own parent. */
function directParents(ancestors: { id?: number; parentIds?: number[] }[] | undefined): number[] {
  const above = new Set(ancestors?.flatMap(({ parentIds }) => parentIds ?? []));
  return (ancestors ?? []).map(({ id }) => id).filter((id): id is number => id !== undefined && !above.has(id));
}

/** The form's values with those that were named in their place; what excludes a named value goes. */
export function withNamed(id: OperationId, form: Values, named: Values): Values {
  const body: Values = { ...form, ...named };
  for (const member of ['customData', 'screenData']) {
    if (form[member] && named[member]) body[member] = { ...(form[member] as Values), ...(named[member] as Values) };
  }
  if (id === 'editTask') {
    if (named['descriptionPlainText'] !== undefined && named['descriptionDelta'] === undefined)
      delete body['descriptionDelta'];
    if (named['assigneeGroupId'] !== undefined) delete body['assigneeUserId'];
    if (named['assigneeUserId'] !== undefined) delete body['assigneeGroupId'];
  }
  if (Array.isArray(form['addAttachments']) && Array.isArray(named['addAttachments'])) {
    body['addAttachments'] = [...form['addAttachments'], ...named['addAttachments']];
  }
  return body;
}

/**
 * Tells what a conflict is about: who changed the object, and which of the values read before differ now.
 * @returns lines for stderr
 */
export function explainConflict(
  before: Values,
  now: Values,
  named: Values,
  error: { changedBy?: { firstName?: string; lastName?: string } | undefined; changedAt?: number | undefined },
): string {
  const who = [error.changedBy?.firstName, error.changedBy?.lastName].filter(Boolean).join(' ') || 'Somebody else';
  const when = error.changedAt === undefined ? '' : ` at ${new Date(error.changedAt).toISOString()}`;
  const lines = [`${who} changed it${when}, after it was read. Nothing was written.`];
  for (const name of new Set([...Object.keys(before), ...Object.keys(now)])) {
    const [old, present] = [JSON.stringify(before[name]), JSON.stringify(now[name])];
    if (old === present) continue;
    const both = named[name] === undefined ? '' : `; you wanted ${clipped(JSON.stringify(named[name]))}`;
    lines.push(`  ${name}: was ${clipped(old)}, is now ${clipped(present)}${both}`);
  }
  lines.push('Run the command again to make your change to what is there now.');
  return lines.join('\n');
}

function clipped(text: string | undefined): string {
  if (text === undefined) return 'empty';
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
