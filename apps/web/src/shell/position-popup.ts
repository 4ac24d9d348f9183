const MARGIN = 8;

/**
 * Places a popup below its button, or above it where there is no room below: from the side on which lines begin, as far as the
 * window allows.
 */
export function positionPopup(popup: HTMLElement, opener: HTMLElement): void {
  const { left, right, top, bottom } = opener.getBoundingClientRect();
  const rightToLeft = getComputedStyle(opener).direction === 'rtl';
  const within = (start: number, size: number, room: number) => Math.max(MARGIN, Math.min(start, room - size - MARGIN));
  const start = rightToLeft ? right - popup.offsetWidth : left;
  const above = top - 4 - popup.offsetHeight;
  const fitsBelow = bottom + 4 + popup.offsetHeight <= window.innerHeight - MARGIN;
  popup.style.left = `${within(start, popup.offsetWidth, window.innerWidth)}px`;
  popup.style.top = `${within(fitsBelow || above < MARGIN ? bottom + 4 : above, popup.offsetHeight, window.innerHeight)}px`;
}
