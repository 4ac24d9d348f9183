// A browser without pages: cookies and redirects.

/** Opens a browser without cookies. */
export function openBrowser() {
  /** Cookies by host and name. */
  const cookies = new Map();
  const jarOf = (url) => {
    const jar = cookies.get(url.host) ?? new Map();
    cookies.set(url.host, jar);
    return jar;
  };
  const send = async (address, init = {}) => {
    const url = new URL(address);
    const jar = jarOf(url);
    const answer = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: {
        'User-Agent': 'A browser',
        Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...init.headers,
      },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [pair] = line.split(';');
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    return answer;
  };
  return {
    send,
    /**
     * Opens an address and follows redirects until a page is reached.
     * @returns the address of the page
     */
    visit: async (address, isPage) => {
      let url = new URL(address);
      for (let hops = 0; hops < 12; hops++) {
        const answer = await send(url);
        const target = answer.headers.get('location');
        if (target === null) throw new Error(`${url.pathname}: ${answer.status} ${await answer.text()}`);
        url = new URL(target, url);
        if (isPage(url)) return url;
      }
      throw new Error(`${address} redirects without end`);
    },
  };
}
