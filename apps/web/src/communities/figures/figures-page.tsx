import './figures.css';
import type { GetPostDefinitionResponse, Input, SummarisePostsResponse } from '@portico/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Link2 } from 'lucide-react';
import { copyText } from '../../copy-text.ts';
import { Empty, Loaded } from '../../placeholders.tsx';
import { portal } from '../../portal.ts';
import { useCommunities, useDefinition } from '../../shared-queries.ts';
import { SegmentedControl } from '../../shell/segmented-control.tsx';
import { useFormats, useTexts } from '../../texts/index.ts';
import { useTitle } from '../../use-title.ts';
import { showNotice } from '../../write/notices.ts';
import { FilterBar } from '../filter-bar.tsx';
import { conditionsOf } from '../filters.ts';
import { knownMomentFields } from '../use-posts.ts';
import { type Figure, FigurePicture } from './figure-picture.tsx';
import { type FiguresSearch, measures, pictures, type ShowFigures } from './figures-search.ts';
import {
  BY_MONTH,
  BY_PERSON,
  BY_STATE,
  figureText,
  groupingsOf,
  isDated,
  measuredOf,
  nameOfKey,
  type Offer,
  TIME_IN_STATE,
} from './groupings.ts';
import { useFigureTexts } from './texts.ts';

/** The figures of a community: groups, measure, filters and picture as the address says. */
export function FiguresPage() {
  const words = useFigureTexts();
  const navigate = useNavigate();
  const communityId = Number(useParams({ from: '/shell/community/$communityId/figures' }).communityId);
  const search = useSearch({ from: '/shell/community/$communityId/figures' });
  const name = useCommunities().data?.find(({ id }) => id === communityId)?.name;
  const definition = useDefinition(communityId);
  const title = name === undefined ? words.title : words.titleOf(name);
  useTitle(title);
  const show: ShowFigures = (change) =>
    void navigate({
      to: '/community/$communityId/figures',
      params: { communityId: String(communityId) },
      search: Object.fromEntries(
        Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined),
      ) as FiguresSearch,
      replace: true,
    });
  return (
    <div className="page">
      <header className="toolbar">
        <h1>{title}</h1>
        <button
          type="button"
          className="small"
          onClick={() =>
            void copyText(location.href).then(
              () => showNotice(words.copied),
              () => showNotice(location.href),
            )
          }
        >
          <Link2 size={14} aria-hidden /> {words.copy}
        </button>
      </header>
      <div className="figures">
        <Loaded query={definition}>
          {(found) => <Figures communityId={communityId} definition={found} search={search} show={show} />}
        </Loaded>
      </div>
    </div>
  );
}

function Figures({
  communityId,
  definition,
  search,
  show,
}: {
  communityId: number;
  definition: GetPostDefinitionResponse;
  search: FiguresSearch;
  show: ShowFigures;
}) {
  const words = useFigureTexts();
  const groupings = groupingsOf(definition, words);
  const by = search.by ?? groupings[0]!.name;
  const { measure = 'count' } = search;
  const measured = measuredOf(definition, words);
  const of = measure === 'count' ? undefined : (search.of ?? measured[0]?.name);
  const { communityAttachmentFilters, ...posts } = conditionsOf(search.filters ?? [], knownMomentFields(communityId));
  const request = {
    communityId,
    ...posts,
    ...(communityAttachmentFilters && { communityAttachmentFilters }),
    ...(search.text !== undefined && { containsText: search.text }),
    groupBy: search.and === undefined || search.and === by ? [by] : [by, search.and],
    measure,
    ...(of !== undefined && { measureOf: of }),
  } as Input<'summarisePosts'>;
  const summary = useQuery({
    queryKey: ['posts', communityId, 'summary', request],
    queryFn: ({ signal }) => portal.posts.summarise(request, { signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <Ready communityId={communityId} definition={definition} search={search} />
      <Choices groupings={groupings} measured={measured} search={{ ...search, by }} of={of} show={show} />
      <FilterBar
        definition={definition}
        filters={search.filters ?? []}
        onChange={(filters) => show({ filters: filters.length > 0 ? filters : undefined })}
      />
      <Loaded query={summary}>
        {(found) => (
          <Shown
            summary={found}
            groupBy={request.groupBy!}
            groupings={groupings}
            heading={
              of === undefined
                ? words.measures.count
                : words.measureOf(words.measures[measure], measured.find(({ name }) => name === of)?.label ?? of)
            }
            of={of}
            search={search}
            show={show}
          />
        )}
      </Loaded>
    </>
  );
}

/** Links to figures that most communities need. The filters stay. */
function Ready({
  communityId,
  definition,
  search: { text, filters },
}: {
  communityId: number;
  definition: GetPostDefinitionResponse;
  search: FiguresSearch;
}) {
  const words = useFigureTexts();
  const kept = { ...(text !== undefined && { text }), ...(filters && { filters }) };
  const ready: [string, FiguresSearch][] = [
    [words.byState, { by: BY_STATE }],
    [words.overMonths, { by: BY_MONTH }],
    [words.byPerson, { by: BY_PERSON }],
    [words.timeInState, { by: BY_STATE, measure: 'mean', of: TIME_IN_STATE }],
  ];
  const params = { communityId: String(communityId) };
  return (
    <nav className="tabs" aria-label={words.ready}>
      <Link to="/community/$communityId" params={params} search={kept}>
        {words.posts}
      </Link>
      {ready
        .filter(([, { by }]) => by !== BY_STATE || definition.workflowDefinition)
        .map(([label, search]) => (
          <Link
            key={label}
            to="/community/$communityId/figures"
            params={params}
            search={{ ...kept, ...search }}
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {label}
          </Link>
        ))}
    </nav>
  );
}

function Choice({
  label,
  value,
  offers,
  onChange,
}: {
  label: string;
  value: string;
  offers: readonly Offer[];
  onChange: (name: string) => void;
}) {
  return (
    <label>
      {label}
      <select className="field" value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {offers.map(({ name, label: text }) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

function Choices({
  groupings,
  measured,
  search: { by, and, measure: chosen },
  of,
  show,
}: {
  groupings: readonly Offer[];
  measured: readonly Offer[];
  search: FiguresSearch & { by: string };
  of: string | undefined;
  show: ShowFigures;
}) {
  const words = useFigureTexts();
  const measure = chosen ?? 'count';
  const offered = measured.length > 0 ? measures : measures.slice(0, 1);
  return (
    <div className="figure-choices">
      <Choice label={words.by} value={by} offers={groupings} onChange={(name) => show({ by: name, as: undefined })} />
      <Choice
        label={words.and}
        value={and ?? ''}
        offers={[{ name: '', label: words.nothing }, ...groupings.filter(({ name }) => name !== by)]}
        onChange={(name) => show({ and: name || undefined })}
      />
      <Choice
        label={words.measure}
        value={measure}
        offers={offered.map((name) => ({ name, label: words.measures[name] }))}
        onChange={(name) =>
          show(
            name === 'count'
              ? { measure: undefined, of: undefined }
              : { measure: name as NonNullable<FiguresSearch['measure']>, of },
          )
        }
      />
      {of !== undefined && (
        <Choice label={words.of} value={of} offers={measured} onChange={(name) => show({ of: name })} />
      )}
    </div>
  );
}

function Shown({
  summary,
  groupBy,
  groupings,
  heading,
  of,
  search,
  show,
}: {
  summary: SummarisePostsResponse;
  groupBy: readonly string[];
  groupings: readonly Offer[];
  /** Name of the figure. */
  heading: string;
  of: string | undefined;
  search: FiguresSearch;
  show: ShowFigures;
}) {
  const texts = useTexts();
  const words = useFigureTexts();
  const formats = useFormats();
  const { groups = [], other, postsCount = 0, bounded } = summary;
  if (postsCount === 0) {
    return (
      <Empty>
        <p>{words.empty}</p>
      </Empty>
    );
  }
  // The latest period comes first; time runs forward in a picture and in its table.
  const ordered = isDated(groupBy[0]) ? groups.toReversed() : groups;
  const rows = ordered.map(({ keys = [], value }) => ({
    names: groupBy.map((by, index) => nameOfKey(keys[index] ?? {}, by, { texts, words, formats })),
    key: JSON.stringify(keys),
    value,
    text: figureText(value, of, words, formats),
  }));
  const figures = rows.flatMap(({ names, key, value, text }): Figure[] =>
    value === undefined ? [] : [{ key, label: names.join(', '), value, text }],
  );
  const as = search.as ?? (isDated(groupBy[0]) && groupBy.length === 1 ? 'lines' : 'bars');
  const labelOf = (by: string) => groupings.find(({ name }) => name === by)?.label ?? by;
  return (
    <>
      <SegmentedControl
        label={words.picture}
        options={pictures.map((value) => ({ value, label: words.pictures[value] }))}
        value={as}
        onChange={(value) => show({ as: value })}
      />
      {bounded && <p role="status">{words.bounded(formats.number(postsCount))}</p>}
      <div className="figure-beside">
        <FigurePicture figures={figures} as={as} />
        <table className="figure-table">
          <caption className="visually-hidden">{heading}</caption>
          <thead>
            <tr>
              {groupBy.map((by) => (
                <th key={by} scope="col">
                  {labelOf(by)}
                </th>
              ))}
              <th scope="col" className="figure-value">
                {heading}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ names, key, text }) => (
              <tr key={key}>
                <th scope="row">{names[0]}</th>
                {names.length > 1 && <td>{names[1]}</td>}
                <td className="figure-value">{text}</td>
              </tr>
            ))}
            {other && (
              <tr>
                <th scope="row" colSpan={groupBy.length}>
                  {words.other(formats.number(other.groupsCount ?? 0))}
                </th>
                <td className="figure-value">{figureText(other.value, of, words, formats)}</td>
              </tr>
            )}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={groupBy.length}>
                {words.total}
              </th>
              <td className="figure-value">{figureText(summary.value, of, words, formats)}</td>
            </tr>
          </tfoot>
        </table>
      </div>
      <p className="muted">{words.several}</p>
    </>
  );
}
