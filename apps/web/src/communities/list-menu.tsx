import { Button } from '@mantine/core';
import type { GetPostDefinitionResponse } from '@portico/sdk';
import { Link } from '@tanstack/react-router';
import {
  CalendarPlus,
  ChartColumn,
  Download,
  Group,
  Hammer,
  LayoutDashboard,
  ListChecks,
  Trash2,
  Upload,
} from 'lucide-react';
import { useState } from 'react';
import { copyText } from '../copy-text.ts';
import { useAttempt } from '../failures/attempt.ts';
import { portal } from '../portal.ts';
import { Dialog } from '../shell/dialog.tsx';
import { useTexts } from '../texts/index.ts';
import { groupingsOf } from './grouped/groupings.ts';
import type { ListSearch, Show } from './list-search.ts';
import { useMenuTexts } from './menu-texts.ts';
import { useListTexts } from './texts.ts';
import { queryOf } from './use-posts.ts';
import { apiNameOf } from './views.ts';

type Format = 'csv' | 'xlsx';

/** Name of a column in exports. @param key as in the address */
const exportedName = (key: string): string =>
  key.startsWith('field-') ? `customData.${key.slice('field-'.length)}` : apiNameOf(key);

/** Actions on a list as a whole. */
export function ListMenu({
  communityId,
  search,
  columns,
  definition,
  show,
  mayBuild,
  askForCalendar,
  choose,
}: {
  communityId: number;
  search: ListSearch;
  /** Keys of the shown columns: the columns of the file. */
  columns: readonly string[];
  definition: GetPostDefinitionResponse | undefined;
  show: Show;
  mayBuild: boolean;
  askForCalendar: () => void;
  /** Shows what selects rows on a phone. */
  choose: () => void;
}) {
  const texts = useTexts();
  const list = useListTexts();
  const words = useMenuTexts();
  const attempt = useAttempt();
  const download = (format: Format) =>
    attempt(async () => {
      const { fields: _fields, ...query } = queryOf(communityId, search);
      const names = ['customId', 'title', ...columns.map(exportedName)];
      const stream = await portal.posts.export(query, { format, columns: names });
      const link = document.createElement('a');
      link.href = URL.createObjectURL(await new Response(stream).blob());
      link.download = `posts-${communityId}.${format}`;
      link.click();
      URL.revokeObjectURL(link.href);
    }, words.notExported);
  return (
    <>
      {definition && search.layout === undefined && (
        <label className="option">
          <Group size={14} aria-hidden /> {words.groupBy}
          <select
            className="field auto"
            value={search.group ?? ''}
            onChange={({ currentTarget: { value } }) => show({ group: (value || undefined) as ListSearch['group'] })}
          >
            <option value="">{words.noGroups}</option>
            {groupingsOf(definition, texts).map(({ key, label }) => (
              <option key={key} value={key}>
                {label}
              </option>
            ))}
          </select>
        </label>
      )}
      <Link to="/community/$communityId/overview" params={{ communityId: String(communityId) }} className="option">
        <LayoutDashboard size={14} aria-hidden /> {list.overview}
      </Link>
      <Link
        to="/community/$communityId/figures"
        params={{ communityId: String(communityId) }}
        search={{ ...(search.text && { text: search.text }), ...(search.filters && { filters: search.filters }) }}
        className="option"
      >
        <ChartColumn size={14} aria-hidden /> {list.figures}
      </Link>
      <Link to="/deleted" search={{ community: communityId }} className="option">
        <Trash2 size={14} aria-hidden /> {list.deletedPosts}
      </Link>
      {(['csv', 'xlsx'] as const).map((format) => (
        <button key={format} type="button" className="option" onClick={() => void download(format)}>
          <Download size={14} aria-hidden /> {words.formats[format]}
        </button>
      ))}
      {search.layout === undefined && (
        <button
          type="button"
          className="option narrow-only"
          onClick={({ currentTarget }) => {
            currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
            choose();
          }}
        >
          <ListChecks size={14} aria-hidden /> {words.choose}
        </button>
      )}
      <button type="button" className="option" onClick={askForCalendar}>
        <CalendarPlus size={14} aria-hidden /> {words.calendar}
      </button>
      {mayBuild && (
        <Link to="/community/$communityId/build" params={{ communityId: String(communityId) }} className="option">
          <Hammer size={14} aria-hidden /> {list.build}
        </Link>
      )}
      {mayBuild && (
        <Link to="/community/$communityId/imports" params={{ communityId: String(communityId) }} className="option">
          <Upload size={14} aria-hidden /> {words.importFile}
        </Link>
      )}
    </>
  );
}

/** Gives the events of a community an address for calendar programs. The server shows it once. */
export function CalendarAddress({ communityId, onClose }: { communityId: number; onClose: () => void }) {
  const texts = useTexts();
  const words = useMenuTexts();
  const attempt = useAttempt();
  const [address, setAddress] = useState<string>();
  const [copied, setCopied] = useState(false);
  const create = () => attempt(async () => setAddress((await portal.calendars.create({ communityId })).uri));
  return (
    <Dialog label={words.calendarTitle} onClose={onClose} closeOnOutsideClick={address === undefined}>
      <h2>{words.calendarTitle}</h2>
      <p>{words.calendarHint}</p>
      {address === undefined ? (
        <Button onClick={() => void create()}>{words.createAddress}</Button>
      ) : (
        <>
          <input
            className="field"
            readOnly
            aria-label={words.address}
            value={address}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <p className="muted">{words.onlyOnce}</p>
          <div className="buttons">
            <Button
              variant="default"
              onClick={() =>
                void attempt(async () => {
                  await copyText(address);
                  setCopied(true);
                })
              }
            >
              {copied ? words.copied : words.copy}
            </Button>
            <Button variant="default" onClick={onClose}>
              {texts.close}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
