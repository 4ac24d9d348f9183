import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../texts/index.ts';
import { useTitle } from '../use-title.ts';

/** The page of every address that the portal does not have. */
export function NotFoundPage() {
  const texts = useTexts();
  useTitle(texts.noSuchPage);
  return (
    <div className="centre no-such-page">
      <div>
        <h1>{texts.noSuchPage}</h1>
        <p>{texts.noSuchPageHint}</p>
        <div className="buttons">
          <Button component={Link} to="/">
            {texts.home}
          </Button>
          <Button component={Link} to="/search" variant="default">
            {texts.search}
          </Button>
        </div>
      </div>
    </div>
  );
}
