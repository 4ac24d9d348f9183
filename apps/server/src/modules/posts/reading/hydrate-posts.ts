/**
 * Builds list elements from ids of posts: a fixed number of statements, however many posts and
 * flags.
 */
import { type BaseListPostsElement, type GetPostCapabilitiesResponse, postListFields } from '@portico/contract';
import { mapInTurns, Turns } from '@portico/platform/turns';
import { fileLinks } from '../../../kernel/file-links.ts';
import type { Scope } from '../../../kernel/scope.ts';
import {
  type CommunityDefinition,
  getDefinitions,
  loadPresentation,
  type Presentation,
  presentTransition,
} from '../../communities/index.ts';
import { holdsLongText } from '../../fields/index.ts';
import type { AttachmentLinkFlags } from '../../files/index.ts';
import { postCapabilities, presentCapabilities } from '../../post-parts/index.ts';
import { ALL_FIELDS, type AskedFields, isAsked, namesOf, narrowed, partsOf } from './asked-fields.ts';
import { presentHead, presentListElement } from './post.presenter.ts';
import {
  loadPostFacts,
  loadPostHeads,
  loadPostRows,
  mayBeLong,
  type PostFactsRow,
  type PostHeadRow,
  type PostListRow,
  rowOf,
} from './post-rows.repository.ts';
import { loadReferences, Wanted } from './references.ts';

/**
 * References in the values on one page: answers show an object for each, several hundred bytes
 * long. The post that exceeds the number begins the next page.
 */
const MOST_REFERENCES = 20_000;

/** Optional parts of list elements; all false (`loadPostDetails` true) by default. */
export interface LoadFlags {
  readonly loadPostDetails?: boolean;
  readonly loadCapabilities?: boolean;
  readonly loadMainAttachment?: boolean;
  readonly loadMainAttachmentViewLink?: boolean;
  readonly loadMainAttachmentDownloadLink?: boolean;
  readonly loadMainAttachmentPreviewImageLink?: boolean;
  readonly loadMainAttachmentPreviewImageAnimatedLink?: boolean;
  readonly loadMainAttachmentPreviewImageHiResLink?: boolean;
  readonly loadMainAttachmentPreviewImageHiResAnimatedLink?: boolean;
}

/**
 * Returns the links that the flags request; undefined when no main attachment is requested. Any
 * link implies it (docs/decisions/lists.md).
 */
export function mainLinksOf(flags: LoadFlags): AttachmentLinkFlags | undefined {
  const links = {
    view: flags.loadMainAttachmentViewLink === true,
    download: flags.loadMainAttachmentDownloadLink === true,
    preview: flags.loadMainAttachmentPreviewImageLink === true,
    previewAnimated: flags.loadMainAttachmentPreviewImageAnimatedLink === true,
    previewHiRes: flags.loadMainAttachmentPreviewImageHiResLink === true,
    previewHiResAnimated: flags.loadMainAttachmentPreviewImageHiResAnimatedLink === true,
  };
  return flags.loadMainAttachment === true || Object.values(links).includes(true) ? links : undefined;
}

/**
 * Returns list elements by id, in the order of the ids. The caller has found the ids by the
 * visibility predicate, so it is not checked again. Posts erased since are omitted, and so are
 * posts at the end that do not fit on a page: {@link lastFitting}. Statements: at most 5 for posts
 * of one community, beside definitions (rows, people, groups, catalog entries, referred posts), and
 * up to 2 for catalogs of screens with `loadCapabilities`.
 * @param asked the requested members; they decide instead of the flags that add some
 * @param loaded rows of the posts in the order of the ids, if the statement that found them read
 *   them with {@link rowsBeside}
 */
export async function hydratePosts(
  scope: Scope,
  ids: readonly number[],
  flags: LoadFlags = {},
  asked: AskedFields = ALL_FIELDS,
  loaded?: readonly PostListRow[],
): Promise<BaseListPostsElement[]> {
  if (ids.length === 0) return [];
  // Requested members decide instead of the flags.
  const named = asked.names !== undefined;
  const mainLinks = named ? askedMainLinks(asked, flags) : mainLinksOf(flags);
  const withCapabilities = named ? isAsked(asked, 'capabilities') : flags.loadCapabilities === true;
  if (!named && flags.loadPostDetails === false && !mainLinks) {
    if (!withCapabilities) return (await loadPostHeads(scope.db, ids)).map(presentHead);
    const heads = await loadPostFacts(scope.db, scope.actor.userId, ids);
    const definitions = await definitionsOf(scope, heads);
    const capabilities = await capabilitiesOf(scope, heads, definitions);
    return heads.map((row) => ({ ...presentHead(row), capabilities: capabilities.get(row.id) }));
  }
  const rows =
    loaded ?? (await loadPostRows(scope.db, scope.actor.userId, ids, partsOf(asked, mainLinks !== undefined)));
  const definitions = await definitionsOf(scope, rows);
  const shown = new Map([...definitions].map(([id, definition]) => [id, narrowed(definition, asked)]));
  const details = named || flags.loadPostDetails !== false;
  const wanted = new Wanted();
  const onPage: PostListRow[] = [];
  const turns = new Turns();
  let references = 0;
  for (const row of rows) {
    if (turns.isOver) await turns.next();
    references += wantListRow(wanted, row, details ? shown.get(row.communityId) : undefined, asked);
    if (references > MOST_REFERENCES && onPage.length > 0) break;
    onPage.push(row);
  }
  const found = await loadReferences(scope, scope.db, wanted);
  const capabilities = withCapabilities ? await capabilitiesOf(scope, onPage, definitions) : undefined;
  const links = fileLinks(scope);
  const names = namesOf(asked, postListFields);
  const present = (row: PostListRow): BaseListPostsElement | undefined => {
    const definition = shown.get(row.communityId);
    if (!definition) return undefined;
    const element = presentListElement(
      row,
      { definition, references: found, links, mainLinks },
      names,
      capabilities?.get(row.id),
    );
    if (details) return element;
    return { ...presentHead(row), mainAttachment: element.mainAttachment, capabilities: element.capabilities };
  };
  return mapInTurns(onPage, present);
}

/**
 * Returns the last post of {@link hydratePosts} when the posts after it did not fit on the page, so
 * that the page has to end with it; undefined when all fit.
 */
export function lastFitting(ids: readonly number[], items: readonly BaseListPostsElement[]): number | undefined {
  const last = items.at(-1)?.id;
  return last === ids.at(-1) ? undefined : last;
}

/**
 * Returns SQL that reads the data of the members beside the ids of a list; undefined for whole
 * elements, which take longer anyway, and for parts that may be too long for one page.
 */
export function rowsBeside(scope: Scope, flags: LoadFlags, asked: AskedFields, definition: CommunityDefinition) {
  if (asked.names === undefined) return undefined;
  const parts = partsOf(asked, askedMainLinks(asked, flags) !== undefined);
  const long = [...definition.fields, ...(definition.workflow?.fields ?? [])].filter(holdsLongText).map(({ id }) => id);
  return mayBeLong(parts, long) ? undefined : rowOf(scope.actor.userId, parts);
}

/** Returns the links of the main attachment if it is among the requested members. */
export function askedMainLinks(asked: AskedFields, flags: LoadFlags): AttachmentLinkFlags | undefined {
  return isAsked(asked, 'mainAttachment') ? mainLinksOf({ ...flags, loadMainAttachment: true }) : undefined;
}

async function definitionsOf(scope: Scope, rows: readonly PostHeadRow[]): Promise<Map<number, CommunityDefinition>> {
  return getDefinitions(scope, [...new Set(rows.map((row) => row.communityId))]);
}

/**
 * Registers the references of a list element. @param definition absent when only the main
 * attachment is shown @returns the number of references in its values
 */
export function wantListRow(
  wanted: Wanted,
  row: PostListRow,
  definition: CommunityDefinition | undefined,
  asked: AskedFields,
): number {
  if (row.main) {
    wanted.users.add(row.main.creatorId);
    wanted.users.add(row.main.modifierId);
  }
  if (!definition) return 0;
  if (isAsked(asked, 'creatorUser')) wanted.users.add(row.creatorId);
  if (isAsked(asked, 'lastModifyUser')) wanted.users.add(row.modifierId);
  return wanted.addValues(definition.fields, row.customData);
}

/** Returns the caller's capabilities on each post. */
async function capabilitiesOf(
  scope: Scope,
  rows: readonly PostFactsRow[],
  definitions: ReadonlyMap<number, CommunityDefinition>,
): Promise<Map<number, GetPostCapabilitiesResponse>> {
  const presentation = await loadPresentation(scope, definitions.values());
  const present = transitionPresenter(presentation);
  const found = await mapInTurns(rows, (row) => {
    const definition = definitions.get(row.communityId);
    return definition && ([row.id, present(definition, scope, row)] as const);
  });
  return new Map(found);
}

/** Presents a transition once, however many posts of a page offer it. */
function transitionPresenter(presentation: Presentation) {
  const shown = new Map<number, ReturnType<typeof presentTransition>>();
  return (definition: CommunityDefinition, scope: Scope, row: PostFactsRow): GetPostCapabilitiesResponse =>
    presentCapabilities(postCapabilities(scope.actor, definition, row), (transition) => {
      let wire = shown.get(transition.id);
      if (!wire) {
        wire = presentTransition(transition, definition.workflow!, presentation);
        shown.set(transition.id, wire);
      }
      return wire;
    });
}
