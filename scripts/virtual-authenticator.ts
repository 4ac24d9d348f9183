/** Passkeys of a real browser: Chromium with its virtual authenticator, on a page of an address. */
import type { Browser } from 'playwright-core';

/** Makes passkeys and signs with them, as a page of the portal does. */
interface VirtualAuthenticator {
  /** @param options JSON of the portal's answer @returns the credential in JSON */
  make(options: string): Promise<string>;
  /** Answers with a passkey that it made. @param options, returns as for {@link make} */
  use(options: string): Promise<string>;
  /** Runs a function on the page, as its own script. */
  evaluate<Argument, Result>(
    script: (argument: Argument) => Result | Promise<Result>,
    argument: Argument,
  ): Promise<Result>;
  close(): Promise<void>;
}

/**
 * Opens a page with an authenticator of its own.
 * @param address of the portal, by https or at localhost: elsewhere browsers make no passkeys
 */
export async function openVirtualAuthenticator(browser: Browser, address: string): Promise<VirtualAuthenticator> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  // An empty page on the address of the portal; its requests go to the portal.
  const empty = `${address}/passkeys`;
  await page.route(empty, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.goto(empty);
  const answer = (verb: 'create' | 'get', parse: string, options: string): Promise<string> =>
    page.evaluate(
      `(async () => {
        const publicKey = PublicKeyCredential.${parse}(${options});
        return JSON.stringify(await navigator.credentials.${verb}({ publicKey }));
      })()`,
    );
  return {
    make: (options) => answer('create', 'parseCreationOptionsFromJSON', options),
    use: (options) => answer('get', 'parseRequestOptionsFromJSON', options),
    // The types of Playwright unwrap handles, of which there are none here.
    evaluate: (script, argument) => page.evaluate(script as never, argument as never),
    close: () => context.close(),
  };
}
