import { Button } from '@mantine/core';
import type { SavedView } from '@portico/sdk';
import { Link, useNavigate } from '@tanstack/react-router';
import { Bookmark, CalendarDays, ChartColumn, Ellipsis, Rows3, SquareKanban, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useAttempt } from '../failures/attempt.ts';
import { portal, queryClient } from '../portal.ts';
import { useCommunities } from '../shared-queries.ts';
import { Popup } from '../shell/popup.tsx';
import { showNotice } from '../write/notices.ts';
import { FavouriteStar } from './favourite-community.tsx';
import type { ListSearch } from './list-search.ts';
import { useListTexts } from './texts.ts';
import { hasNoSettings, isList, settingsOf, useAllViews } from './views.ts';

/** Icons of the layouts of a list. */
export const ICONS = { table: Rows3, board: SquareKanban, calendar: CalendarDays } as const;

/** The saved views of a community; the present settings of the list can be saved as a view. */
export function ViewBar({
  communityId,
  search,
  chosen,
  changed,
  unsupported,
}: {
  communityId: number;
  /** The present settings of the list. */
  search: ListSearch;
  /** The chosen view, or the view with which the community opens. */
  chosen: SavedView | undefined;
  /** Whether the settings of the list differ from the chosen view. */
  changed: boolean;
  /** Whether the view has conditions that the page cannot show. */
  unsupported: boolean;
}) {
  const list = useListTexts();
  const navigate = useNavigate();
  const all = useAllViews(communityId).data?.views ?? [];
  const views = all.filter(isList);
  const refetchViews = () =>
    Promise.all(['views', 'favourites'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
  const open = (view: number) =>
    void navigate({ to: '/community/$communityId', params: { communityId: String(communityId) }, search: { view } });
  const attempt = useAttempt();
  const write = (run: () => Promise<unknown>, done?: string) =>
    attempt(async () => {
      await run();
      if (done) showNotice(done);
      await refetchViews();
    }, list.viewFailed);
  const { id: viewId, name = '', occToken, favourite, canEdit } = chosen ?? {};
  return (
    <nav className="views" aria-label={list.views}>
      {all.some(({ inOverview }) => inOverview) && (
        <Link className="view" to="/community/$communityId/overview" params={{ communityId: String(communityId) }}>
          <ChartColumn size={14} aria-hidden /> {list.overview}
        </Link>
      )}
      {views.length > 0 && (
        <button
          type="button"
          className="view"
          {...(!chosen && hasNoSettings(search) && { 'aria-current': 'true' as const })}
          onClick={() => open(0)}
        >
          {list.allPosts}
        </button>
      )}
      {views.map((view) => {
        const Icon = ICONS[view.layout ?? 'table'];
        return (
          <button
            key={view.id}
            type="button"
            className="view"
            {...(view.id === viewId && { 'aria-current': 'true' as const })}
            onClick={() => open(view.id!)}
          >
            <Icon size={14} aria-hidden /> {view.name}
          </button>
        );
      })}
      {chosen && (
        <>
          <FavouriteStar
            favourite={favourite === true}
            toggle={() => void write(() => portal.views.favourite({ viewId: viewId!, favourite: !favourite }))}
          />
          <Popup label={name} button={<Ellipsis size={14} aria-label={name} />}>
            <button
              type="button"
              className="option"
              onClick={() =>
                void write(() => portal.views.setDefault({ communityId, viewId: viewId! }), list.viewSaved)
              }
            >
              <Bookmark size={14} aria-hidden /> {list.makeDefault}
            </button>
            {canEdit && (
              <button
                type="button"
                className="option"
                onClick={() => {
                  open(0);
                  void write(() => portal.views.delete({ viewId: viewId! }), list.viewDeleted);
                }}
              >
                <Trash2 size={14} aria-hidden /> {list.deleteView}
              </button>
            )}
          </Popup>
        </>
      )}
      {chosen && changed && canEdit && !unsupported && (
        <button
          type="button"
          className="small"
          onClick={() =>
            void write(async () => {
              await portal.views.replace({
                viewId: viewId!,
                name,
                occToken: occToken!,
                ...settingsOf(search, communityId),
              });
              open(viewId!);
            }, list.viewSaved)
          }
        >
          {list.saveChanges}
        </button>
      )}
      {!hasNoSettings(search) && (changed || !chosen) && (
        <SaveView
          communityId={communityId}
          search={search}
          saved={async (view) => {
            await refetchViews();
            showNotice(list.viewSaved);
            open(view);
          }}
        />
      )}
      {unsupported && <span className="muted">{list.unsupportedConditions}</span>}
    </nav>
  );
}

function SaveView({
  communityId,
  search,
  saved,
}: {
  communityId: number;
  search: ListSearch;
  saved: (viewId: number) => Promise<void>;
}) {
  const list = useListTexts();
  const attempt = useAttempt();
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const mayShare = useCommunities().data?.find(({ id }) => id === communityId)?.adminCapabilities?.editCommunity;
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
    await attempt(async () => {
      const { id } = await portal.views.create({
        communityId,
        name: name.trim(),
        shared,
        ...settingsOf(search, communityId),
      });
      setName('');
      await saved(id!);
    }, list.viewFailed);
  };
  return (
    <Popup className="small" label={list.saveView} button={list.saveView}>
      <form className="editor" onSubmit={(event) => void save(event)}>
        <label>
          {list.viewName}
          <input
            className="field"
            required
            maxLength={100}
            value={name}
            onChange={({ currentTarget: { value } }) => setName(value)}
          />
        </label>
        {mayShare && (
          <label className="option">
            <input type="checkbox" checked={shared} onChange={({ currentTarget: { checked } }) => setShared(checked)} />
            {list.shareView}
          </label>
        )}
        <Button type="submit">{list.save}</Button>
      </form>
    </Popup>
  );
}
