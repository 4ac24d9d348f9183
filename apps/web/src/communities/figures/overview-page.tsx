import './figures.css';
import type { GetPostDefinitionResponse } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Panel } from '../../failures/boundary.tsx';
import { part } from '../../failures/part.ts';
import { Empty, Loaded, Loading } from '../../placeholders.tsx';
import { portal } from '../../portal.ts';
import { useCommunities, useDefinition } from '../../shared-queries.ts';
import { useFormats } from '../../texts/index.ts';
import { useTitle } from '../../use-title.ts';
import { useAllViews } from '../views.ts';
import { headingOf, labelsOf, useFigureRows } from './figure-rows.ts';
import { FigureTable } from './figure-table.tsx';
import { figuresAmong, type SavedFigure, shapeOf } from './saved.ts';
import { useFigureTexts } from './texts.ts';

const FigurePicture = part(() => import('./figure-picture.tsx'), 'FigurePicture');

/** Groups of a picture in the overview; the table below has the others. */
const SHOWN = { bars: 8, numbers: 6, lines: 100 };

/** The overview of a community: the figures that were saved for it. */
export function OverviewPage() {
  const words = useFigureTexts();
  const communityId = Number(useParams({ from: '/shell/community/$communityId/overview' }).communityId);
  const community = useCommunities().data?.find(({ id }) => id === communityId);
  const definition = useDefinition(communityId);
  const views = useAllViews(communityId);
  const title = community?.name === undefined ? words.overview : words.overviewOf(community.name);
  useTitle(title);
  const params = { communityId: String(communityId) };
  return (
    <div className="page">
      <header className="toolbar">
        <h1>{title}</h1>
        <nav className="tabs" aria-label={words.overview}>
          <Link to="/community/$communityId" params={params} activeOptions={{ exact: true }}>
            {words.posts}
          </Link>
          <Link to="/community/$communityId/figures" params={params}>
            {words.title}
          </Link>
        </nav>
      </header>
      <div className="figures">
        <Loaded query={definition}>
          {(found) => (
            <Loaded query={views}>
              {({ views: all }) => (
                <Cards
                  communityId={communityId}
                  definition={found}
                  shown={figuresAmong(all).filter(({ inOverview }) => inOverview)}
                />
              )}
            </Loaded>
          )}
        </Loaded>
      </div>
    </div>
  );
}

function Cards({
  communityId,
  definition,
  shown,
}: {
  communityId: number;
  definition: GetPostDefinitionResponse;
  shown: readonly SavedFigure[];
}) {
  const words = useFigureTexts();
  if (shown.length === 0) {
    return (
      <Empty>
        <p>{words.emptyOverview}</p>
        <Link to="/community/$communityId/figures" params={{ communityId: String(communityId) }}>
          {words.addFigures}
        </Link>
      </Empty>
    );
  }
  return (
    <div className="figure-cards">
      {shown.map((view) => (
        <Card key={view.id} view={view} definition={definition} />
      ))}
    </div>
  );
}

/** Saved figures; their place has its size before they are read. */
function Card({ view, definition }: { view: SavedFigure; definition: GetPostDefinitionResponse }) {
  const words = useFigureTexts();
  const { id, communityId, name, shared, occToken } = view;
  const answer = useQuery({
    queryKey: ['posts', communityId, 'figures', id, occToken],
    queryFn: ({ signal }) => portal.views.summarise({ viewId: id! }, { signal }),
  });
  return (
    <section className="figure-card" aria-labelledby={`figures-${id}`}>
      <h2 id={`figures-${id}`}>
        <Link to="/community/$communityId/figures" params={{ communityId: String(communityId) }} search={{ view: id! }}>
          {name}
        </Link>
      </h2>
      <p className="muted">
        {headingOf(shapeOf(view), definition, words)}
        {!shared && ` · ${words.own}`}
      </p>
      {answer.data ? (
        <CardBody view={view} definition={definition} answer={answer.data} />
      ) : (
        <div className="figure-space">
          <Loaded query={answer}>{() => null}</Loaded>
        </div>
      )}
    </section>
  );
}

function CardBody({
  view,
  definition,
  answer: { figures },
}: {
  view: SavedFigure;
  definition: GetPostDefinitionResponse;
  answer: Awaited<ReturnType<typeof portal.views.summarise>>;
}) {
  const words = useFigureTexts();
  const formats = useFormats();
  const shape = shapeOf(view);
  const { rows, figures: parts, textOf } = useFigureRows(figures ?? {}, shape);
  const { postsCount = 0, bounded } = figures ?? {};
  if (!figures || postsCount === 0) {
    return (
      <div className="figure-space">
        <p role="status">{figures ? words.empty : words.leftOut}</p>
      </div>
    );
  }
  const most = SHOWN[view.layout];
  const hidden = parts.length - most;
  return (
    <>
      <div className="figure-space">
        <Panel fallback={<Loading />}>
          <FigurePicture figures={parts.slice(view.layout === 'lines' ? -most : 0).slice(0, most)} as={view.layout} />
        </Panel>
      </div>
      {bounded && <p className="muted">{words.bounded(formats.number(postsCount))}</p>}
      <details>
        <summary>{hidden > 0 ? words.tableWithMore(formats.number(hidden)) : words.table}</summary>
        <FigureTable
          rows={rows}
          summary={figures}
          labels={labelsOf(shape, definition, words)}
          heading={headingOf(shape, definition, words)}
          textOf={textOf}
        />
      </details>
    </>
  );
}
