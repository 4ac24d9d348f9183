/** Changes of definitions that go over the posts of a community in the background. */
export { workOnChange } from './work-on-change.ts';
