/** Finds communities and people by name in the inputs of methods. */
import type { OperationId } from '@portico/contract';
import { ConfigurationError, UnknownNameError } from './errors.ts';
import { type Field, factsOf } from './filters.ts';
import type { Input, Output } from './methods.ts';
import { COMMUNITY_MEMBER, holdsReferences, isName, isObject, OPAQUE, PERSON_MEMBER } from './name-check.ts';
import { findNamed, fold, type Named, requireNamed } from './names.ts';
import type { RequestOptions } from './transport.ts';

type AnyInput = Readonly<Record<string, unknown>>;

/** Sends an operation. */
export type Call = <K extends OperationId>(id: K, input: Input<K>, options: RequestOptions) => Promise<Output<K>>;

/** Finds the id of a name, which is not a number. */
type Find = (name: string, options: RequestOptions) => Promise<number>;

const COMMUNITIES_AGE_MS = 60_000;

const isNumber = (text: string) => /^-?\d+$/.test(text);

/** Replaces names of communities and people by ids. Communities are kept for a minute. */
export class ReferenceResolver {
  readonly #call: Call;
  #communities: { at: number; list: Promise<readonly Named[]> } | undefined;

  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Returns the id of a community.
   * @param given its id or name
   * @throws UnknownNameError
   */
  async community(given: number | string, options: RequestOptions): Promise<number> {
    if (typeof given === 'number' || isNumber(given)) return Number(given);
    const kept = this.#communities !== undefined && Date.now() - this.#communities.at < COMMUNITIES_AGE_MS;
    try {
      return idOf(requireNamed('community', await this.#listed(kept, options), given));
    } catch (error) {
      if (!kept || !(error instanceof UnknownNameError)) throw error;
      return idOf(requireNamed('community', await this.#listed(false, options), given));
    }
  }

  /**
   * Returns the id of a person.
   * @param given id, name or e-mail address; `me` is the caller
   * @throws UnknownNameError
   */
  async person(given: number | string, options: RequestOptions): Promise<number> {
    if (typeof given === 'number' || isNumber(given)) return Number(given);
    if (given === 'me') return (await this.#call('currentUserData', {}, options)).userData.id;
    const { items } = await this.#call('listPeople', { fullTextFilter: given, pageSize: 50 }, options);
    const wanted = fold(given);
    const found = items.filter(({ firstName, lastName, contactEmail }) =>
      [`${firstName} ${lastName}`, `${lastName} ${firstName}`, contactEmail ?? ''].some(
        (name) => fold(name) === wanted,
      ),
    );
    if (found.length === 1) return found[0]!.id;
    const addresses = found.map(({ id, contactEmail }) => contactEmail ?? String(id));
    if (found.length > 1) throw new UnknownNameError('single person', given, addresses);
    throw new UnknownNameError('person', given, items.slice(0, 3).map(nameOf));
  }

  /** Replaces names in the members of an input, also in its objects and lists. */
  async resolve(input: AnyInput, options: RequestOptions): Promise<AnyInput> {
    if (!holdsReferences(input)) return input;
    return (await this.#object(input, options)) as AnyInput;
  }

  /** Replaces names of people in values of fields that hold people. */
  async people(fields: readonly Field[], values: AnyInput, options: RequestOptions): Promise<AnyInput> {
    const resolved: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(values)) {
      const field = typeof value === 'number' ? undefined : findNamed(fields, name);
      resolved[name] = field && holdsPeople(field) ? await this.#peopleIn(value, options) : value;
    }
    return resolved;
  }

  #listed(kept: boolean, options: RequestOptions): Promise<readonly Named[]> {
    if (kept && this.#communities) return this.#communities.list;
    const list = this.#call('getCommunitiesByViewPostCapabilityLevel', {}, options).then(({ communities }) =>
      communities.map(({ id, name }) => ({ id, label: name })),
    );
    this.#communities = { at: Date.now(), list };
    list.catch(() => {
      this.#communities = undefined;
    });
    return list;
  }

  async #object(value: unknown, options: RequestOptions): Promise<unknown> {
    if (!isObject(value)) return value;
    const resolved: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(value)) {
      const find = finderOf(this, name);
      if (find) resolved[name] = await ids(member, find, options);
      else if (Array.isArray(member) && !OPAQUE.has(name)) {
        const items: unknown[] = [];
        for (const item of member) items.push(await this.#object(item, options));
        resolved[name] = items;
      } else resolved[name] = OPAQUE.has(name) ? member : await this.#object(member, options);
    }
    return resolved;
  }

  async #peopleIn(value: unknown, options: RequestOptions): Promise<unknown> {
    if (isName(value)) return this.person(value, options);
    if (Array.isArray(value)) {
      const people: unknown[] = [];
      for (const item of value) people.push(await this.#peopleIn(item, options));
      return people;
    }
    if (!isObject(value) || 'id' in value) return value;
    // The condition of a filter, such as `{ in: [ … ] }`.
    const condition: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(value)) condition[name] = await this.#peopleIn(member, options);
    return condition;
  }
}

function finderOf(resolver: ReferenceResolver, member: string): Find | undefined {
  if (COMMUNITY_MEMBER.test(member)) return (name, options) => resolver.community(name, options);
  if (PERSON_MEMBER.test(member)) return (name, options) => resolver.person(name, options);
  return undefined;
}

async function ids(value: unknown, find: Find, options: RequestOptions): Promise<unknown> {
  if (isName(value)) return find(value, options);
  if (!Array.isArray(value)) return value;
  const found: unknown[] = [];
  for (const item of value) found.push(isName(item) ? await find(item, options) : item);
  return found;
}

const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`;

/** Whether the values of a field are people. */
function holdsPeople(field: Field): boolean {
  return factsOf(field)?.kind === 'objects' && field.metadata?.['generic_entity_list_config_id'] === 'core.user';
}

function idOf(named: Named): number {
  if (named.id === undefined) throw new ConfigurationError(`"${named.label}" has no id.`);
  return named.id;
}
