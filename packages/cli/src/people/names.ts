/** Communities, people and posts by name or address instead of number. */
import { type FieldType, fieldTypes } from '@portico/contract';
import type { PorticoClient, RequestOptions } from '@portico/sdk';
import { InvalidArgumentError } from 'commander';
import { UsageError } from '../errors.ts';
import { nameOf } from './labels.ts';

interface Connection {
  client: PorticoClient;
  options: RequestOptions;
}

/** A community that the person may read. */
interface FoundCommunity {
  id: number;
  name: string;
}

/**
 * Finds a community by name or number.
 * @throws UnknownNameError with near names; UsageError if several have the name
 */
export async function communityNamed({ client, options }: Connection, given: string): Promise<FoundCommunity> {
  const [{ requireNamed }, { communities = [] }] = await Promise.all([
    import('@portico/sdk'),
    client.communities.list({}, options),
  ]);
  const named = communities.map(({ id, name }) => ({ id, label: name }));
  // A number may be of a community that the list omits, as an archived one.
  if (/^\d+$/.test(given) && !named.some(({ id }) => id === Number(given))) return { id: Number(given), name: given };
  const { id, label } = requireNamed('community', named, given);
  return { id: id as number, name: label ?? given };
}

/**
 * Finds a person by name, e-mail address or number; `me` is the caller.
 * @throws UsageError if nobody, or several people, have the name
 */
export async function personNamed({ client, options }: Connection, given: string): Promise<number> {
  if (/^\d+$/.test(given)) return Number(given);
  if (given === 'me' || given === '@me') {
    const { userData } = await client.auth.currentUser({}, options);
    return userData?.id as number;
  }
  const { fold } = await import('@portico/sdk');
  const { items = [] } = await client.users.find({ fullTextFilter: given, pageSize: 50 }, options);
  const wanted = fold(given);
  const exact = items.filter((person) =>
    [nameOf(person), `${person.lastName} ${person.firstName}`, person.contactEmail].some(
      (name) => name !== undefined && fold(name) === wanted,
    ),
  );
  const found = exact.length > 0 ? exact : items;
  if (found.length === 1) return found[0]?.id as number;
  const listed = found.slice(0, 5).map((person) => `${nameOf(person)} <${person.contactEmail ?? ''}> (${person.id})`);
  throw new UsageError(
    found.length === 0
      ? `Nobody you share a community with is called "${given}".`
      : `Several people are called "${given}": ${listed.join(', ')}. Give the e-mail address or the number.`,
  );
}

/** Reads the number of a post from the number itself or the address of its page. */
export function parsePost(text: string): number {
  const [, digits] = /^(?:#?|https?:\/\/[^\s]*\/portal\/post\/)(\d{1,15})(?:[/?#].*)?$/.exec(text) ?? [];
  if (digits === undefined)
    throw new InvalidArgumentError('it must be the number of a post, or the address of its page.');
  return Number(digits);
}

/** Address of the page of a post. */
export const postPage = (client: PorticoClient, postId: number): string => `${client.baseUrl}/portal/post/${postId}`;

/** Address of the page of a community. */
export const communityPage = (client: PorticoClient, id: number): string => `${client.baseUrl}/portal/community/${id}`;

/**
 * Replaces names of people in values of fields that hold people by their ids.
 * @param values values by the name of the field
 */
export async function withPeople(
  connection: Connection,
  communityId: number,
  values: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  if (Object.keys(values).length === 0) return {};
  const [{ findNamed }, { fieldDefinitions = [], workflowDefinition }] = await Promise.all([
    import('@portico/sdk'),
    connection.client.definition(communityId, connection.options),
  ]);
  const fields = [...fieldDefinitions, ...(workflowDefinition?.screenFieldMetadatas ?? [])];
  const resolved: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values))
    resolved[name] = holdsPeople(findNamed(fields, name)) ? await peopleIn(connection, value) : value;
  return resolved;
}

/** Whether the values of a field are people. */
function holdsPeople(field: { type?: number; metadata?: Record<string, string> } | undefined): boolean {
  return (
    fieldTypes[field?.type as FieldType]?.kind === 'objects' &&
    field?.metadata?.['generic_entity_list_config_id'] === 'core.user'
  );
}

async function peopleIn(connection: Connection, value: unknown): Promise<unknown> {
  if (typeof value === 'string') return personNamed(connection, value);
  if (Array.isArray(value)) return Promise.all(value.map((item) => peopleIn(connection, item)));
  if (typeof value === 'object' && value !== null && 'in' in value)
    return { in: await peopleIn(connection, (value as { in: unknown }).in) };
  return value;
}
