/** A number of things in words: `1 item`, `2 items`. @param noun one thing, whose plural ends in s */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
