/**
 * Editing: the interface replaces what it is sent, so a command reads the form, changes only what was named, and writes
 * with the token that it read.
 */
import { type Operation, type OperationId, operationById, type operations } from '@portico/contract';
import type { PorticoClient, RequestOptions, writableValues } from '@portico/sdk';
import { bodyFields } from './body-fields.generated.ts';

type Values = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: each form has its own shape, which the function for it below knows
type Form = Record<string, any>;
type Writable = typeof writableValues;

/** Operations whose command starts from a form. */
type FormOperationId = {
  [K in OperationId]: (typeof operations)[K]['command'] extends { readonly form: string } ? K : never;
}[OperationId];

/** How a form becomes the body of a write. */
interface FormUse {
  /** The body that writes what is there already. */
  body(form: Form, writable: Writable): Values;
  /** The body names attachments of the form. */
  attachments?: true;
  /** Reads the form where it is not the whole answer of the operation that the contract names. */
  read?(client: PorticoClient, keys: Values, options: RequestOptions): Promise<Form>;
}

const postBody = ({ contentData }: Form): Values => ({
  title: contentData?.title,
  description: contentData?.descriptionDelta,
  visibility: contentData?.visibility,
});
const eventBody = (form: Form): Values => ({
  ...postBody(form),
  coverImageContentRef: form['contentData']?.coverImageContentRef,
  linkPreview: form['linkPreview'],
  event: eventInput(form['contentData']?.event),
});
/** A copy takes attachments over by their ids. */
const copied = ({ contentData }: Form): Values => ({
  announcement: contentData?.announcement ?? false,
  addAttachments: contentData?.attachments?.map(({ id }: { id?: number }) => ({ attachmentId: id })),
});

/** The members of a form that the write takes as they are. */
const membersOf = (form: Form, names: readonly string[]): Values =>
  Object.fromEntries(names.map((name) => [name, form[name]]));

const fieldBody = ({ type: _type, catalogId, parentId, occToken, ...settings }: Form): Values => settings;

const formUses: Readonly<Record<FormOperationId, FormUse>> = {
  editServiceAccount: { body: (form) => membersOf(form, ['name', 'adminCapabilities', 'roleId', 'communityRoles']) },
  editIdentityProvider: {
    body: (form) =>
      membersOf(form, [
        'name',
        'clientId',
        'scopes',
        'enabled',
        'createUsers',
        'linkByVerifiedEmail',
        'emailDomains',
        'groupsClaim',
        'groupMappings',
      ]),
  },
  editCustomPost: {
    body: (form, writable) => ({ ...postBody(form), customData: writable(form['contentData']?.customData) }),
  },
  // What is left out is kept.
  patchPost: { body: () => ({}) },
  restorePostVersion: { body: () => ({}) },
  movePost: { body: () => ({}) },
  editPostCustomData: { body: (form, writable) => ({ customData: writable(form['contentData']?.customData) }) },
  copyCustomPost: {
    attachments: true,
    body: (form, writable) => ({
      ...postBody(form),
      ...copied(form),
      customData: writable(form['contentData']?.customData),
    }),
  },
  editEventPost: { body: eventBody },
  copyEventPost: { attachments: true, body: (form) => ({ ...eventBody(form), ...copied(form) }) },
  editTask: { body: taskBody },
  editSavedView: {
    body: (form) =>
      membersOf(form, [
        'name',
        'communityPostFilters',
        'communityAttachmentFilters',
        'orderBy',
        'orderDesc',
        'pinnedFirst',
        'columns',
        'layout',
        'groupBy',
        'dateField',
      ]),
  },
  editPostComment: { body: ({ commentDelta }) => ({ comment: commentDelta }) },
  // What is left out is kept.
  editMyProfile: { body: () => ({}) },
  editUser: {
    body: ({ firstname, lastname, contactEmail, privateEmail, externalId }) => ({
      firstname,
      lastname,
      contactEmail,
      privateEmail,
      externalId,
    }),
  },
  // A block that is left out is kept.
  editUserCredentials: { body: () => ({}) },
  editGroup: { body: ({ name, email, externalId, visible }) => ({ name, email, externalId, visible }) },
  editCommunity: {
    body: ({ workspaceId: _where, coverImageTemporaryContentViewLink: _cover, occToken: _token, ...settings }) =>
      settings,
  },
  editPostField: { body: fieldBody },
  editScreenField: { body: fieldBody },
  removeField: { body: () => ({}) },
  changeFieldType: { body: () => ({}) },
  restoreDefinitionVersion: { body: () => ({}) },
  editCommunityWorkflow: { body: ({ screenFields: _fields, occToken: _token, ...workflow }) => workflow },
  editTenantSettings: {
    body: (form) =>
      membersOf(form, [
        'name',
        'defaultLanguage',
        'defaultTimezone',
        'corsOrigins',
        'audiences',
        'loginDomains',
        'requireSecondFactor',
        'requireProvider',
        'accessTokenSeconds',
        'sessionIdleSeconds',
        'sessionSeconds',
        'notificationRetentionDays',
        'auditRetentionDays',
      ]),
  },
  editWorkspace: {
    body: ({ contentData }) => ({
      name: contentData?.name,
      translations: contentData?.translations,
      description: contentData?.description,
    }),
  },
  editCatalog: {
    body: ({ contentData }) => ({
      name: contentData?.name,
      parentId: contentData?.parentCatalog?.id,
      deleted: contentData?.deleted,
    }),
  },
  editCatalogEntry: {
    body: ({ label, externalId, deleted, parents }) => ({
      label,
      externalId,
      deleted,
      parentIds: directParents(parents),
    }),
  },
  editPostWorkflowScreenData: { body: (form, writable) => ({ screenData: writable(form['screenData']) }) },
  executePostWorkflowOperation: {
    async read(client, keys, options) {
      const input = keys as { postId: number; workflowOperationId: number };
      const { workflowPermittedOperations = [] } = await client.posts.capabilities({ postId: input.postId }, options);
      // One without a screen takes `{}`; reading a screen that it has not got would fail.
      if (!workflowPermittedOperations.find(({ id }) => id === input.workflowOperationId)?.screen) return {};
      return client.workflow.screen(input, options) as Promise<Form>;
    },
    body: (form, writable) => (form['screen'] ? { screenData: writable(form['screenData']) } : {}),
  },
};

/** How one write is made from its form. */
export interface EditFlow {
  /** Reads what is there now. `keys` are the path parameters that say which object. */
  read(client: PorticoClient, keys: Values, options: RequestOptions): Promise<Form>;
  /** What sending the form unchanged looks like. */
  body(form: Form): Values;
  /** Name of the token in the form, and in the path or the body of the write. */
  tokenName: string;
}

const TOKENS = ['occToken', 'screenOccToken'];

/** Name of the token that a write takes in its path or its body, if it takes one. */
export function tokenNameOf({ pathParams, body }: Operation): string | undefined {
  const names = [...Object.keys(pathParams), ...(bodyFields[body ?? ''] ?? []).map(([name]) => name)];
  return TOKENS.find((token) => names.includes(token));
}

/** The flow of an operation whose command starts from a form. @param writable from the client library */
export function editFlow(operation: Operation, writable: Writable): EditFlow | undefined {
  if (operation.command.form === undefined) return undefined;
  const form = operationById(operation.command.form as OperationId);
  const use = formUses[operation.id as FormOperationId];
  return {
    read: (client, keys, options) => {
      if (use.read) return use.read(client, keys, options);
      const input: Values = {};
      for (const name of Object.keys(form.pathParams)) input[name] = keys[name];
      if ('loadAttachments' in form.query && !use.attachments) input['loadAttachments'] = false;
      return client.call(form.id as OperationId, input as never, options) as Promise<Form>;
    },
    body: (found) => use.body(found, writable),
    tokenName: tokenNameOf(operation) ?? 'occToken',
  };
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

/** The form lists all ancestors; the direct parents are those that no other ancestor has for its own parent. */
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
  lines.push('Run the command again to apply your change to the current values.');
  return lines.join('\n');
}

function clipped(text: string | undefined): string {
  if (text === undefined) return 'empty';
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
