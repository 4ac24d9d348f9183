/**
 * Boundaries: a failure of one part of the page leaves the others as they are, is shown in the
 * language of the reader, and can be tried again.
 */
import { Component, type ReactNode, Suspense, useEffect } from 'react';
import { Dialog } from '../shell/dialog.tsx';
import { LanguageContext, lastLanguage, useTexts } from '../texts/index.ts';
import { PartError } from './part.ts';

interface Failure {
  readonly error: unknown;
  /** Renders the content once more. */
  readonly retry: () => void;
}

interface BoundaryProps {
  shown: (failure: Failure) => ReactNode;
  children: ReactNode;
}

/** Called when a part is requested again: other boundaries then request theirs, too. */
const listeners = new Set<(asked: boolean) => void>();

/** Calls a function when the network is back, or when another boundary tries again. */
function listenForAgain(listener: (asked: boolean) => void): () => void {
  const unasked = () => listener(false);
  listeners.add(listener);
  window.addEventListener('online', unasked);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('online', unasked);
  };
}

const tellAgain = () => {
  for (const listener of listeners) listener(true);
};

interface BoundaryState {
  readonly failed: boolean;
  readonly error?: unknown;
}

class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { failed: false };
  #stop: (() => void) | undefined;

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { error, failed: true };
  }

  readonly #render = () => this.setState({ failed: false, error: undefined });

  override componentDidMount() {
    this.#stop = listenForAgain((asked) => {
      if (this.state.error instanceof PartError) void this.state.error.again(asked).then(this.#render);
    });
  }

  override componentWillUnmount() {
    this.#stop?.();
  }

  override render() {
    const { error, failed } = this.state;
    if (!failed) return this.props.children;
    return this.props.shown({ error, retry: error instanceof PartError ? tellAgain : this.#render });
  }
}

/**
 * A part of the page with a boundary of its own.
 * @param fallback shown while the part is loaded
 * @param instead shown where the part cannot be loaded, for what can be read without it; the
 *   failure itself is then left to a panel beside it
 * @param close closes an overlay, which shows its failure in a dialog
 */
export function Panel({
  fallback,
  instead,
  close,
  children,
}: {
  fallback?: ReactNode;
  instead?: ReactNode;
  close?: (() => void) | undefined;
  children: ReactNode;
}) {
  const shown = (failure: Failure) => {
    if (instead !== undefined && failure.error instanceof PartError) return instead;
    return close ? <FailureDialog {...failure} close={close} /> : <PanelFailure {...failure} />;
  };
  return (
    <Boundary shown={shown}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </Boundary>
  );
}

/** Says that a panel failed, with a button that tries again. */
function PanelFailure({ error, retry }: Failure) {
  const texts = useTexts();
  return (
    <div className="panel-failure" role="alert">
      <p>{error instanceof PartError ? texts.partMissing : texts.partBroken}</p>
      <button type="button" className="small" onClick={retry}>
        {texts.retry}
      </button>
      <details>
        <summary>{texts.details}</summary>
        <code>{error instanceof Error ? error.message : String(error)}</code>
      </details>
    </div>
  );
}

/** Shows the failure of a page in the frame, so that the other pages stay in reach. */
export function PageFailure({ error, reset }: { error: unknown; reset: () => void }) {
  useEffect(
    () =>
      listenForAgain((asked) => {
        if (error instanceof PartError) void error.again(asked).then(reset);
      }),
    [error, reset],
  );
  return <PanelFailure error={error} retry={error instanceof PartError ? tellAgain : reset} />;
}

function FailureDialog({ close, ...failure }: Failure & { close: () => void }) {
  const texts = useTexts();
  return (
    <Dialog label={texts.partMissing} onClose={close}>
      <PanelFailure {...failure} />
      <button type="button" className="small" onClick={close}>
        {texts.close}
      </button>
    </Dialog>
  );
}

/** The boundary of the whole page. */
export function WholeBoundary({ children }: { children: ReactNode }) {
  return <Boundary shown={(failure) => <WholeFailure {...failure} />}>{children}</Boundary>;
}

/** The page as a whole failed. */
function WholeFailure({ error }: Failure) {
  const language = lastLanguage();
  const { texts } = language;
  useEffect(() => {
    document.documentElement.lang = language.tag;
  }, [language]);
  return (
    <LanguageContext value={language}>
      <main className="centre">
        <div role="alert">
          <h1>{texts.pageBroken}</h1>
          <p>{texts.pageBrokenHint}</p>
          <button type="button" className="small" onClick={() => window.location.reload()}>
            {texts.reload}
          </button>
          <details>
            <summary>{texts.details}</summary>
            <code>{error instanceof Error ? error.message : String(error)}</code>
          </details>
        </div>
      </main>
    </LanguageContext>
  );
}
