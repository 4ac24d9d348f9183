/** Characters that turn the direction of writing: with one of them `exe.png` is seen where `gnp.exe` is meant. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The name of a file as people should see it: each character that turns the direction of writing is visible, as U+FFFD. */
export function visibleName(name: string): string {
  return name.replace(DIRECTION, '\ufffd');
}
