/**
 * Edits: the interface replaces the whole object, so a command reads the form, changes only the
 * named values, and writes with the token from the form.
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

/** Conversion of a form to the body of a write. */
interface FormUse {
  /** The body that writes the present values unchanged. */
  body(form: Form, writable: Writable): Values;
  /** The body names attachments of the form. */
  attachments?: true;
  /** Reads the form if it differs from the answer of the operation that the contract names. */
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
/** A copy takes over attachments by their ids. */
const copied = ({ contentData }: Form): Values => ({
  announcement: contentData?.announcement ?? false,
  addAttachments: contentData?.attachments?.map(({ id }: { id?: number }) => ({ attachmentId: id })),
});

/** The members of a form that the write accepts unchanged. */
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
  editWebhook: {
    body: (form) => membersOf(form, ['name', 'events', 'communityIds', 'filter', 'contents', 'enabled']),
  },
  editCustomPost: {
    body: (form, writable) => ({ ...postBody(form), customData: writable(form['contentData']?.customData) }),
  },
  // Absent fields stay unchanged.
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
  // Absent fields stay unchanged.
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
  // An absent block stays unchanged.
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
  editBranding: {
    body: (form) => membersOf(form, ['name', 'accentColor', 'signInNotice', 'imprintUrl', 'privacyUrl']),
  },
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
        'notificationMails',
        'notificationPush',
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
      // A step without a screen takes `{}`; reading its missing screen would fail.
      if (!workflowPermittedOperations.find(({ id }) => id === input.workflowOperationId)?.screen) return {};
      return client.workflow.screen(input, options) as Promise<Form>;
    },
    body: (form, writable) => (form['screen'] ? { screenData: writable(form['screenData']) } : {}),
  },
};

/** The flow of a write that starts from its form. */
export interface EditFlow {
  /** Reads the present values. `keys` are the path parameters that identify the object. */
  read(client: PorticoClient, keys: Values, options: RequestOptions): Promise<Form>;
  /** Returns the body that writes the form unchanged. */
  body(form: Form): Values;
  /** Name of the token in the form, and in the path or the body of the write. */
  tokenName: string;
}

const TOKENS = ['occToken', 'screenOccToken'];

/** Returns the name of the token that a write takes in its path or its body, if there is one. */
export function tokenNameOf({ pathParams, body }: Operation): string | undefined {
  const names = [...Object.keys(pathParams), ...(bodyFields[body ?? ''] ?? []).map(([name]) => name)];
  return TOKENS.find((token) => names.includes(token));
}

/**
 * Returns the flow of an operation whose command starts from a form.
 * @param writable from the client library
 */
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

/**
 * The form lists all ancestors; a direct parent is an ancestor that is no other ancestor's parent.
 */
function directParents(ancestors: { id?: number; parentIds?: number[] }[] | undefined): number[] {
  const above = new Set(ancestors?.flatMap(({ parentIds }) => parentIds ?? []));
  return (ancestors ?? []).map(({ id }) => id).filter((id): id is number => id !== undefined && !above.has(id));
}

/**
 * Returns the form's values with the named values in their place; removes members that a named
 * value excludes.
 */
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
 * Explains a conflict: the person who changed the object, and the values that have changed since
 * they were read.
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
