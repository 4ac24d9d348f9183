import '../home/home.css';
import './search.css';
import { Button } from '@mantine/core';
import type { SearchResponse } from '@portico/sdk';
import { useSearch as useAddress, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Empty, Loaded } from '../placeholders.tsx';
import { moveKeys, useKeys } from '../shell/keys.ts';
import { SearchField } from '../shell/search-field.tsx';
import { useFormats, useTexts } from '../texts/index.ts';
import { useTitle } from '../use-title.ts';
import { Chips } from './chips.tsx';
import { Hit } from './hit.tsx';
import type { SearchAddress } from './search-address.ts';
import { useSearchTexts } from './texts.ts';
import { useSearch } from './use-search.ts';

/** Results that are shown at first, and the most. */
const PAGE = 20;
const MOST = 100;

/** Everything that matches the words and filters of the address. */
export function SearchPage() {
  const texts = useTexts();
  const words = useSearchTexts();
  const navigate = useNavigate();
  const address = useAddress({ from: '/shell/search' });
  const { text = '', states = [], communities = [], kinds = [] } = address;
  const [count, setCount] = useState(PAGE);
  const show = (change: SearchAddress) => {
    setCount(PAGE);
    const next = { ...address, ...change };
    void navigate({
      to: '/search',
      search: {
        ...(next.text && { text: next.text }),
        ...(next.states?.length && { states: next.states }),
        ...(next.communities?.length && { communities: next.communities }),
        ...(next.kinds?.length && { kinds: next.kinds }),
      },
      replace: true,
    });
  };
  useTitle(words.title);
  useKeys(moveKeys(texts));
  const found = useSearch(address, count);
  const filtered = states.length + communities.length + kinds.length > 0;
  const clear = () => show({ states: [], communities: [], kinds: [] });
  return (
    <div className="home search">
      <h1>{words.title}</h1>
      <SearchField label={words.placeholder} value={text} onChange={(next) => show({ text: next })} autoFocus />
      <Chips address={address} counts={found.data?.counts} onChange={show} />
      {found.isEnabled ? (
        <Loaded query={found}>
          {(results) => (
            <>
              <Summary results={results} />
              {(results.items ?? []).length > 0 ? (
                <section className="row-list">
                  <ul>
                    {results.items!.map((hit) => (
                      <Hit key={`${hit.kind}-${hit.id}`} hit={hit} />
                    ))}
                  </ul>
                </section>
              ) : (
                <Empty>
                  <p>{words.nothing}</p>
                  {filtered && (
                    <Button variant="default" onClick={clear}>
                      {texts.clearFilters}
                    </Button>
                  )}
                </Empty>
              )}
              {results.more && count < MOST && (
                <Button variant="default" onClick={() => setCount(MOST)}>
                  {words.more}
                </Button>
              )}
            </>
          )}
        </Loaded>
      ) : (
        <Empty>
          <p>{words.hint}</p>
          <p>{words.restricted}</p>
        </Empty>
      )}
    </div>
  );
}

/** The number of results, and how they differ from the request. */
function Summary({ results }: { results: SearchResponse }) {
  const words = useSearchTexts();
  const formats = useFormats();
  const { counts, corrected, someWords, ignored = [], indexing } = results;
  const { total = 0, more } = counts ?? {};
  return (
    <p className="search-summary muted" role="status">
      <span>{total > 0 && (more ? words.atLeast(formats.number(total)) : words.count(formats.count(total)))}</span>
      {corrected && <span>{words.corrected(corrected)}</span>}
      {someWords && <span>{words.someWords}</span>}
      {ignored.length > 0 && <span>{words.ignored(ignored.join(' '))}</span>}
      {indexing && <span>{words.indexing}</span>}
    </p>
  );
}
