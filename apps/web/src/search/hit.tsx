import { Link } from '@tanstack/react-router';
import { nameOf } from '../posts/user-name.ts';
import { useFormats, useTexts } from '../texts/index.ts';
import { hitTarget } from './hit-link.ts';
import { KindIcon } from './kind-icon.tsx';
import { Marked } from './marked.tsx';
import { useSearchTexts } from './texts.ts';
import type { SearchHit } from './use-search.ts';

/** A result, with the text around what matched. */
export function Hit({ hit }: { hit: SearchHit }) {
  const texts = useTexts();
  const words = useSearchTexts();
  const formats = useFormats();
  const { kind, id, title, titleMarks, excerpt, excerptMarks, fieldLabel, postTitle, communityName, stateName } = hit;
  const ofPost = kind === 'task' || kind === 'file';
  return (
    <li className="list-row search-hit">
      <KindIcon kind={kind} />
      <div className="list-row-text">
        <Link {...hitTarget(hit)} className="list-row-title" data-item={`found-${kind}-${id}`}>
          {title ? <Marked text={title} marks={titleMarks} /> : texts.untitled}
        </Link>
        {excerpt && (
          <span className="search-excerpt">
            {fieldLabel && <span className="muted">{fieldLabel}: </span>}
            <Marked text={excerpt} marks={excerptMarks} />
          </span>
        )}
        <span className="list-row-details">
          {kind && kind !== 'post' && <span>{words.kinds[kind]}</span>}
          {ofPost && postTitle && <span>{words.inPost(postTitle)}</span>}
          {kind !== 'community' && communityName && <span>{communityName}</span>}
          {kind !== 'person' && hit.authorUser && <span>{nameOf(hit.authorUser)}</span>}
          {stateName && <span>{stateName}</span>}
        </span>
      </div>
      <time className="list-row-time">{hit.timestamp !== undefined && formats.age(hit.timestamp)}</time>
    </li>
  );
}
