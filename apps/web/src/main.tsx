import './components.css';
import '@fontsource-variable/inter/index.css';
import './styles.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { showUnseenFailures } from './failures/attempt.ts';
import { WholeBoundary } from './failures/boundary.tsx';
import { queryClient } from './portal.ts';
import { router } from './routes.tsx';
import { offerLanguage } from './texts/files.ts';
import { LanguageContext, languageOf, loadPreferred } from './texts/index.ts';
import { cssVariables, theme } from './theme.ts';

showUnseenFailures();
offerLanguage('it', async () => (await import('./texts/it/index.ts')).italianTexts);
offerLanguage('de', async () => (await import('./texts/de/index.ts')).german);
// Browsers have service workers only where the address is HTTPS or this machine.
if (import.meta.env.PROD && 'serviceWorker' in navigator)
  window.addEventListener('load', () => {
    // Where the browser refuses it, the page works with a network.
    void navigator.serviceWorker.register(`${import.meta.env.BASE_URL}sw.js`).catch(() => undefined);
  });
const nonce = document.querySelector('meta[name="style-nonce"]')?.getAttribute('content') ?? '';

await loadPreferred();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
      // All variables are set by the theme, so that the file of their defaults is not loaded.
      deduplicateCssVariables={false}
    >
      <QueryClientProvider client={queryClient}>
        <WholeBoundary>
          <LanguageContext value={languageOf(navigator.languages)}>
            <RouterProvider router={router} />
          </LanguageContext>
        </WholeBoundary>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
