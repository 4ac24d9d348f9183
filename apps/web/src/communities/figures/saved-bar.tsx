import { Button } from '@mantine/core';
import type { SavedView } from '@portico/sdk';
import { Link, useNavigate } from '@tanstack/react-router';
import { ChartColumn, Ellipsis, LayoutDashboard, Pencil, Trash2 } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { useAttempt } from '../../failures/attempt.ts';
import { portal, queryClient } from '../../portal.ts';
import { useCommunities } from '../../shared-queries.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { Popup } from '../../shell/popup.tsx';
import { useTexts } from '../../texts/index.ts';
import { showNotice } from '../../write/notices.ts';
import { FavouriteStar } from '../favourite-community.tsx';
import { useListTexts } from '../texts.ts';
import type { figureSettings, SavedFigure } from './saved.ts';
import { useFigureTexts } from './texts.ts';

type FigureSettings = ReturnType<typeof figureSettings>;

const refetchViews = () =>
  Promise.all(['views', 'favourites'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })));

/** Returns what an edit replaces, so that a changed name leaves the rest as it is. */
const kept = ({
  communityPostFilters,
  communityAttachmentFilters,
  layout,
  groupBy,
  secondGroupBy,
  measure,
  measureOf,
  inOverview,
}: SavedView) => ({
  ...(communityPostFilters && { communityPostFilters }),
  ...(communityAttachmentFilters && { communityAttachmentFilters }),
  layout,
  ...(groupBy !== undefined && { groupBy }),
  ...(secondGroupBy !== undefined && { secondGroupBy }),
  ...(measure !== undefined && { measure }),
  ...(measureOf !== undefined && { measureOf }),
  inOverview,
});

/** The saved figures of a community; the present ones can be saved. */
export function SavedBar({
  communityId,
  saved,
  chosen,
  changed,
  settings,
}: {
  communityId: number;
  saved: readonly SavedFigure[];
  chosen: SavedFigure | undefined;
  /** Whether the page shows something else than the chosen figures. */
  changed: boolean;
  /** The present figures; undefined while they cannot be saved. */
  settings: FigureSettings | undefined;
}) {
  const words = useFigureTexts();
  const list = useListTexts();
  const attempt = useAttempt();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'save' | 'rename'>();
  const params = { communityId: String(communityId) };
  const open = (view: number | undefined) =>
    navigate({ to: '/community/$communityId/figures', params, search: view === undefined ? {} : { view } });
  const write = (run: () => Promise<unknown>, done: string) =>
    attempt(async () => {
      await run();
      showNotice(done);
      await refetchViews();
    }, list.viewFailed);
  const edit = (change: object) => {
    const { id: viewId, name = '', occToken } = chosen!;
    return portal.views.edit({ viewId: viewId!, occToken: occToken!, name, ...kept(chosen!), ...change });
  };
  return (
    <nav className="views" aria-label={words.saved}>
      <Link className="view" to="/community/$communityId/overview" params={params}>
        <LayoutDashboard size={14} aria-hidden /> {words.overview}
      </Link>
      {saved.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          className="view"
          {...(id === chosen?.id && { 'aria-current': 'true' as const })}
          onClick={() => void open(id)}
        >
          <ChartColumn size={14} aria-hidden /> {name}
        </button>
      ))}
      {chosen && (
        <FavouriteStar
          favourite={chosen.favourite === true}
          toggle={() =>
            void attempt(async () => {
              await portal.views.favourite({ viewId: chosen.id!, favourite: !chosen.favourite });
              await refetchViews();
            }, list.viewFailed)
          }
        />
      )}
      {chosen?.canEdit && (
        <Popup
          label={words.changeSaved(chosen.name ?? '')}
          button={<Ellipsis size={14} aria-label={words.changeSaved(chosen.name ?? '')} />}
        >
          <button type="button" className="option" onClick={() => setDialog('rename')}>
            <Pencil size={14} aria-hidden /> {words.rename}
          </button>
          <button
            type="button"
            className="option"
            onClick={() =>
              void write(
                () => edit({ inOverview: !chosen.inOverview }),
                chosen.inOverview ? words.takenOut : words.putIn,
              )
            }
          >
            <LayoutDashboard size={14} aria-hidden /> {chosen.inOverview ? words.takeOut : words.showInOverview}
          </button>
          <button
            type="button"
            className="option"
            onClick={() =>
              void write(async () => {
                await portal.views.delete({ viewId: chosen.id! });
                await open(undefined);
              }, words.deleted)
            }
          >
            <Trash2 size={14} aria-hidden /> {words.deleteSaved}
          </button>
        </Popup>
      )}
      {chosen?.canEdit && changed && settings && (
        <button
          type="button"
          className="small"
          onClick={() =>
            void write(async () => {
              const { id: viewId, name = '', occToken, inOverview } = chosen;
              await portal.views.edit({ viewId: viewId!, name, occToken: occToken!, inOverview, ...settings });
              await open(viewId);
            }, words.savedNotice)
          }
        >
          {list.saveChanges}
        </button>
      )}
      {settings && (!chosen || changed) && (
        <button type="button" className="small" onClick={() => setDialog('save')}>
          {words.save}
        </button>
      )}
      {dialog === 'save' && settings && (
        <SaveDialog
          communityId={communityId}
          settings={settings}
          onClose={() => setDialog(undefined)}
          saved={async (view) => {
            setDialog(undefined);
            showNotice(words.savedNotice);
            await refetchViews();
            await open(view);
          }}
        />
      )}
      {dialog === 'rename' && chosen && (
        <NameDialog
          name={chosen.name ?? ''}
          onClose={() => setDialog(undefined)}
          rename={async (name) => {
            await write(() => edit({ name }), words.savedNotice);
            setDialog(undefined);
          }}
        />
      )}
    </nav>
  );
}

function NameField({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  const words = useFigureTexts();
  return (
    <label>
      {words.name}
      <input
        className="field"
        required
        maxLength={100}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}

function SaveDialog({
  communityId,
  settings,
  saved,
  onClose,
}: {
  communityId: number;
  settings: FigureSettings;
  saved: (viewId: number) => Promise<void>;
  onClose: () => void;
}) {
  const words = useFigureTexts();
  const list = useListTexts();
  const texts = useTexts();
  const attempt = useAttempt();
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const [inOverview, setInOverview] = useState(true);
  const mayShare = useCommunities().data?.find(({ id }) => id === communityId)?.adminCapabilities?.editCommunity;
  const hint = useId();
  const save = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      const { id } = await portal.views.create({ communityId, name: name.trim(), shared, inOverview, ...settings });
      await saved(id!);
    }, list.viewFailed);
  };
  return (
    <Dialog label={words.save} onClose={onClose}>
      <h2>{words.save}</h2>
      <form className="editor" onSubmit={save}>
        <NameField value={name} onChange={setName} />
        <label className="option">
          <input
            type="checkbox"
            checked={inOverview}
            onChange={({ currentTarget }) => setInOverview(currentTarget.checked)}
          />
          {words.showInOverview}
        </label>
        {mayShare && (
          <label className="option">
            <input
              type="checkbox"
              checked={shared}
              aria-describedby={hint}
              onChange={({ currentTarget }) => setShared(currentTarget.checked)}
            />
            {list.shareView}
          </label>
        )}
        <p id={hint} className="muted">
          {words.shareHint}
        </p>
        <div className="buttons">
          <Button variant="default" onClick={onClose}>
            {texts.close}
          </Button>
          <Button type="submit">{list.save}</Button>
        </div>
      </form>
    </Dialog>
  );
}

function NameDialog({
  name: before,
  rename,
  onClose,
}: {
  name: string;
  rename: (name: string) => Promise<void>;
  onClose: () => void;
}) {
  const words = useFigureTexts();
  const list = useListTexts();
  const texts = useTexts();
  const [name, setName] = useState(before);
  return (
    <Dialog label={words.rename} onClose={onClose}>
      <h2>{words.rename}</h2>
      <form
        className="editor"
        onSubmit={(event) => {
          event.preventDefault();
          void rename(name.trim());
        }}
      >
        <NameField value={name} onChange={setName} />
        <div className="buttons">
          <Button variant="default" onClick={onClose}>
            {texts.close}
          </Button>
          <Button type="submit">{list.save}</Button>
        </div>
      </form>
    </Dialog>
  );
}
