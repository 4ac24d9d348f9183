/**
 * Cards of a Trello board, joined with the separate lists of the export: lists, members,
 * checklists, comments. Pure.
 */
import { DocumentProblem } from './document-job.ts';

type Json = Readonly<Record<string, unknown>>;

/** Card with the properties that the preset `trello` reads in addition to the card's own. */
type Card = Json & {
  readonly list: string | null;
  readonly labelNames: readonly string[];
  readonly memberNames: readonly string[];
  readonly text: string;
  readonly commentList: readonly { id: unknown; text: unknown; by: unknown; at: unknown }[];
};

/** @throws DocumentProblem */
export function trelloCards(document: unknown): Card[] {
  const board = isObject(document) ? document : {};
  if (!Array.isArray(board['cards'])) throw new DocumentProblem('it has no list "cards", as the export of a board has');
  const lists = byId(board['lists']);
  const members = byId(board['members']);
  const labels = byId(board['labels']);
  const checklists = grouped(objects(board['checklists']), ({ idCard }) => idCard);
  const comments = grouped(
    objects(board['actions']).filter(({ type }) => type === 'commentCard' || type === 'copyCommentCard'),
    ({ data }) => (isObject(data) && isObject(data['card']) ? data['card']['id'] : undefined),
  );
  const nameOf = (id: unknown) => personName(members.get(id));
  return objects(board['cards']).map((card): Card => {
    const own = objects(card['labels']);
    const named: Json[] =
      own.length > 0 ? own : texts(card['idLabels']).flatMap((id): Json[] => listed(labels.get(id)));
    return {
      ...card,
      list: text(lists.get(card['idList'])?.['name']) ?? null,
      labelNames: named.flatMap(({ name, color }): string[] => {
        const shown = text(name) ?? text(color);
        return shown === undefined ? [] : [shown];
      }),
      memberNames: texts(card['idMembers']).flatMap((id) => nameOf(id) ?? []),
      text: describe(card, checklists.get(card['id']) ?? []),
      // The export lists the newest first.
      commentList: (comments.get(card['id']) ?? []).toReversed().map((action) => ({
        id: action['id'],
        text: isObject(action['data']) ? action['data']['text'] : undefined,
        by: personName(action['memberCreator']) ?? nameOf(action['idMemberCreator']),
        at: action['date'],
      })),
    };
  });
}

/** The description in Markdown, followed by the checklists. */
function describe(card: Json, checklists: readonly Json[]): string {
  const lists = checklists.toSorted(byPosition).map((list) => {
    const items = objects(list['checkItems'])
      .toSorted(byPosition)
      .map(({ name, state }) => `- [${state === 'complete' ? 'x' : ' '}] ${text(name) ?? ''}`);
    return [`### ${text(list['name']) ?? ''}`, '', ...items].join('\n');
  });
  return [text(card['desc']) ?? '', ...lists].filter((part) => part !== '').join('\n\n');
}

function personName(person: unknown): string | undefined {
  return isObject(person) ? (text(person['fullName']) ?? text(person['username'])) : undefined;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;
const byId = (value: unknown): Map<unknown, Json> => new Map(objects(value).map((one) => [one['id'], one]));
const listed = (value: Json | undefined): Json[] => (value ? [value] : []);
const byPosition = (a: Json, b: Json): number => (Number(a['pos']) || 0) - (Number(b['pos']) || 0);

function grouped(values: readonly Json[], key: (value: Json) => unknown): Map<unknown, Json[]> {
  return Map.groupBy(values, key);
}
