/** Statistics of list queries by shape: order and kinds of filters, without values. */
export {
  forgetShapes,
  ListShapes,
  observeList,
  readShapes,
  type ShapeReport,
  shapesDue,
} from './record-shapes.ts';
export type { ListShape } from './shape.ts';
