/** What lists of posts cost, by their shape. */
export {
  forgetShapes,
  ListShapes,
  observeList,
  readShapes,
  SHAPE_DAYS,
  type ShapeReport,
} from './record-shapes.ts';
export type { ListShape } from './shape.ts';
