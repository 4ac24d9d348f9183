import '../community.css';
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
import { conditionSettings, useAllViews } from '../views.ts';
import { FigurePicture } from './figure-picture.tsx';
import { headingOf, labelsOf, type Shape, useFigureRows, usualPicture } from './figure-rows.ts';
import { FigureTable } from './figure-table.tsx';
import { type FiguresSearch, measures, type Picture, pictures, type ShowFigures } from './figures-search.ts';
import { BY_MONTH, BY_PERSON, BY_STATE, groupingsOf, measuredOf, type Offer, TIME_IN_STATE } from './groupings.ts';
import {
  figureSettings,
  figuresAmong,
  NO_GROUPS,
  namesSavedAlone,
  type SavedFigure,
  searchOfFigures,
  shapeOf,
} from './saved.ts';
import { SavedBar } from './saved-bar.tsx';
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
  search: address,
  show: change,
}: {
  communityId: number;
  definition: GetPostDefinitionResponse;
  search: FiguresSearch;
  show: ShowFigures;
}) {
  const words = useFigureTexts();
  const texts = useTexts();
  const saved = figuresAmong(useAllViews(communityId).data?.views);
  const chosen = saved.find(({ id }) => id === address.view);
  const alone = chosen !== undefined && namesSavedAlone(address);
  const { search: stored, unsupported } = chosen
    ? searchOfFigures(chosen, definition, texts)
    : { search: undefined, unsupported: false };
  const search = alone ? stored! : address;
  // A change begins with all settings of the saved figures.
  const show: ShowFigures = (next) => change({ ...search, ...next });
  const groupings = groupingsOf(definition, words);
  const measured = measuredOf(definition, words);
  const shape = shapeIn(search, groupings, measured);
  const as = search.as ?? usualPicture(shape);
  const settings = figureSettings(shape, as, search, communityId);
  const changed =
    stored !== undefined && JSON.stringify(settings) !== storedKey(stored, communityId, groupings, measured);
  return (
    <>
      <Ready communityId={communityId} definition={definition} search={search} />
      <SavedBar
        communityId={communityId}
        saved={saved}
        chosen={chosen}
        changed={changed}
        settings={alone && unsupported ? undefined : settings}
      />
      {unsupported && <p className="muted">{words.unsupported}</p>}
      <Choices groupings={groupings} measured={measured} search={search} shape={shape} show={show} />
      <FilterBar
        definition={definition}
        filters={search.filters ?? []}
        onChange={(filters) => show({ filters: filters.length > 0 ? filters : undefined })}
      />
      <SegmentedControl
        label={words.picture}
        options={pictures.map((value) => ({ value, label: words.pictures[value] }))}
        value={as}
        onChange={(value) => show({ as: value })}
      />
      {alone && !changed ? (
        <SavedFigures view={chosen} definition={definition} />
      ) : (
        <Summary communityId={communityId} definition={definition} search={search} shape={shape} as={as} />
      )}
    </>
  );
}

/** Returns the groupings and the measure of an address. An absent or unknown one has its default. */
function shapeIn(search: FiguresSearch, groupings: readonly Offer[], measured: readonly Offer[]): Shape {
  const { by = groupings[0]!.name, and, measure = 'count' } = search;
  const first = by === NO_GROUPS ? [] : [by];
  return {
    groupBy: and === undefined || and === by || by === NO_GROUPS ? first : [by, and],
    measure,
    of: measure === 'count' ? undefined : (search.of ?? measured[0]?.name),
  };
}

/** Returns equal texts for equal settings. */
function storedKey(
  stored: FiguresSearch,
  communityId: number,
  groupings: readonly Offer[],
  measured: readonly Offer[],
): string {
  return JSON.stringify(figureSettings(shapeIn(stored, groupings, measured), stored.as!, stored, communityId));
}

/** Figures as they were saved: the server applies them, so that nothing is left out in silence. */
function SavedFigures({ view, definition }: { view: SavedFigure; definition: GetPostDefinitionResponse }) {
  const words = useFigureTexts();
  const { id, communityId, occToken } = view;
  const answer = useQuery({
    queryKey: ['posts', communityId, 'figures', id, occToken],
    queryFn: ({ signal }) => portal.views.summarise({ viewId: id! }, { signal }),
  });
  return (
    <Loaded query={answer}>
      {({ figures }) =>
        figures ? (
          <Shown summary={figures} shape={shapeOf(view)} definition={definition} as={view.layout} />
        ) : (
          <Empty>
            <p>{words.leftOut}</p>
          </Empty>
        )
      }
    </Loaded>
  );
}

/** The figures that the address describes. */
function Summary({
  communityId,
  definition,
  search,
  shape,
  as,
}: {
  communityId: number;
  definition: GetPostDefinitionResponse;
  search: FiguresSearch;
  shape: Shape;
  as: Picture;
}) {
  const request = {
    communityId,
    ...conditionSettings(search, communityId),
    groupBy: shape.groupBy,
    measure: shape.measure,
    ...(shape.of !== undefined && { measureOf: shape.of }),
  } as Input<'summarisePosts'>;
  const summary = useQuery({
    queryKey: ['posts', communityId, 'summary', request],
    queryFn: ({ signal }) => portal.posts.summarise(request, { signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <Loaded query={summary}>
      {(found) => <Shown summary={found} shape={shape} definition={definition} as={as} />}
    </Loaded>
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
    [words.byStateAndAge, { by: BY_STATE, and: BY_MONTH }],
    [words.overMonths, { by: BY_MONTH }],
    [words.byPerson, { by: BY_PERSON }],
    [words.timeInState, { by: BY_STATE, measure: 'mean', of: TIME_IN_STATE }],
  ];
  const params = { communityId: String(communityId) };
  return (
    <nav className="tabs" aria-label={words.ready}>
      <Link to="/community/$communityId" params={params} search={kept} activeOptions={{ exact: true }}>
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
  search: { and },
  shape: { groupBy, measure, of },
  show,
}: {
  groupings: readonly Offer[];
  measured: readonly Offer[];
  search: FiguresSearch;
  shape: Shape;
  show: ShowFigures;
}) {
  const words = useFigureTexts();
  const by = groupBy[0] ?? NO_GROUPS;
  const nothing = (name: string) => ({ name, label: words.nothing });
  const offered = measured.length > 0 ? measures : measures.slice(0, 1);
  return (
    <div className="figure-choices">
      <Choice
        label={words.by}
        value={by}
        offers={[...groupings, nothing(NO_GROUPS)]}
        onChange={(name) => show({ by: name, as: undefined })}
      />
      {by !== NO_GROUPS && (
        <Choice
          label={words.and}
          value={groupBy[1] === undefined ? '' : (and ?? '')}
          offers={[nothing(''), ...groupings.filter(({ name }) => name !== by)]}
          onChange={(name) => show({ and: name || undefined })}
        />
      )}
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
  shape,
  definition,
  as,
}: {
  summary: SummarisePostsResponse;
  shape: Shape;
  definition: GetPostDefinitionResponse;
  as: Picture;
}) {
  const words = useFigureTexts();
  const formats = useFormats();
  const { rows, figures, textOf } = useFigureRows(summary, shape);
  const { postsCount = 0, bounded } = summary;
  if (postsCount === 0) {
    return (
      <Empty>
        <p>{words.empty}</p>
      </Empty>
    );
  }
  return (
    <>
      {bounded && <p role="status">{words.bounded(formats.number(postsCount))}</p>}
      <div className="figure-beside">
        <FigurePicture figures={figures} as={as} />
        <FigureTable
          rows={rows}
          summary={summary}
          labels={labelsOf(shape, definition, words)}
          heading={headingOf(shape, definition, words)}
          textOf={textOf}
        />
      </div>
      <p className="muted">{words.several}</p>
    </>
  );
}
