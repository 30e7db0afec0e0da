// The same names for browsers, where nothing is told of copies: a page loads little code.
import { describeValue, isByName } from '@colkit/io';

export {
  describeValue as describeNoColumn,
  describeValue as describeNoExpression,
  describeValue as describeNoTable,
  isByName as holdsColumns,
};
