// What TypeScript and C++ agree on where raw columns are looked at: the numbers of a program and of its results, in
// this order, the types of items, the operations. One table, from which generate-raw-program.mjs writes the constants
// of both.

/** Numbers at the start of a program: name and meaning. Behind them come columns, ranges, nodes, folds and keys. */
export const HEAD = [
  ['columns', 'how many columns there are'],
  ['ranges', 'how many ranges of rows'],
  ['nodes', 'how many nodes the predicate has; 0: every row matches'],
  ['folds', 'how many folds'],
  ['bits', '1 where the output gets a bit for each row, 1 = it matches; else 0'],
  ['keys', 'how many columns rows are grouped by; 0: all rows are one group'],
  ['mostGroups', 'how many groups the results have room for; 0 where rows are not grouped'],
];

export const COLUMN = [
  ['number', "the column's number in the segment table"],
  ['type', 'one of the types'],
  ['swapped', '1 where the bytes of its items (of points: of each) are stored in the other order; else 0'],
];

/** Rows that are looked at. The bits of each start a byte of their own. */
export const RANGE = [
  ['start', 'first row'],
  ['end', 'the row behind the last one; ranges ascend and do not overlap'],
];

/** Nodes stand in the order in which they are evaluated: `and` and `or` take what the two before them left. */
export const NODE = [
  ['operation', 'one of the operations'],
  ['column', 'within, text, prefix: which of the columns'],
  ['flip', '1 where the rows that do not match are meant; else 0'],
  [
    'low',
    'within: the byte of the constants where the two bounds stand, 8 bytes each, items of the type (of float16: ' +
      'keys as int16, the magnitude with the sign); text, prefix: where the code points of the lower bound or of ' +
      'the prefix stand, 4 bytes each; computed: where the steps stand, 12 bytes each',
  ],
  ['lowLength', 'text: how many code points; negative: no lower bound; computed: how many steps'],
  ['lowOpen', 'text: 1 where the bound itself does not match; else 0'],
  ['high', 'text: the same of the upper bound; computed: one of the comparisons'],
  ['highLength', 'see lowLength'],
  ['highOpen', 'see lowOpen'],
];

/** What a node says of a row; the index is the number. */
export const OPERATIONS = [
  ['constant', 'no row matches; flipped: every one'],
  ['within', 'low <= item <= high; NaN and halves beyond the infinities are in no range'],
  ['text', 'the text lies between two bounds, by code points'],
  ['prefix', 'the text begins so'],
  ['computed', 'two computed numbers compare so, as doubles'],
  ['and', 'both match'],
  ['or', 'one of them matches'],
];

/** Steps of a computation: three words each, the step and its parameters. They work on a stack of doubles. */
export const STEPS = [
  ['column', 'pushes the numbers of a column, whose index is the first parameter; of bools 0 and 1'],
  ['constant', 'pushes a double: its bits, the lower word first'],
  ['add', 'the two on top'],
  ['sub', 'the two on top'],
  ['mul', 'the two on top'],
  ['div', 'the two on top'],
  ['whole', 'turns -0 on top, which is no integer, into 0'],
];

/** How the two numbers that are left compare; the index is the number. */
export const COMPARISONS = [
  ['eq', 'left == right'],
  ['ne', 'left != right, also where one is NaN'],
  ['lt', 'left < right'],
  ['le', 'left <= right'],
  ['gt', 'left > right'],
  ['ge', 'left >= right'],
];

export const FOLD = [
  ['column', 'which of the columns'],
  ['kind', 'one of the kinds'],
];

/** What rows are grouped by. */
export const KEY = [['column', 'which of the columns']];

/** What matching rows are folded to; the index is the number. */
export const FOLDS = [
  ['sum', 'their exact sum'],
  ['least', 'the smallest of them that is a number, a time or a text'],
  ['most', 'the largest'],
];

/** Numbers of a result; behind the head as many for each fold, or those of each group. */
export const RESULT = [
  ['matches', 'how many rows match'],
  ['groups', 'how many groups those have; beyond the most there is no more of the answer than this'],
];

/** Numbers of a group, in the order of their first rows; behind them as many for each fold. */
export const GROUP = [
  ['first', 'the first row of the group that matches'],
  ['count', 'how many of its rows match'],
];

export const FOLD_RESULT = [
  ['found', 'one of the findings'],
  ['word0', 'of sums of integers and of 64-bit extremes: the lowest 32 bits'],
  ['word1', 'the next ones'],
  ['word2', 'of sums: the ones above, with the sign'],
  ['number', 'of other extremes: the value; of texts the row that has it'],
  ['special', 'of sums of floats: the sum of those that are not finite; 0 where all were'],
  ['limbs', 'of sums of floats: the sum in units of 2^-1074, as digits to the base 2^32, the last one with the sign'],
];

/** How much is known of an extreme; the index is the number. */
export const FINDINGS = [
  ['nothing', 'no row matches'],
  ['unknown', 'nothing but NaN or NaT'],
  ['value', 'a value'],
];

/** Types of items; the index is the number. */
export const TYPES = [
  ['bool', 1],
  ['int8', 1],
  ['int16', 2],
  ['int32', 4],
  ['int64', 8],
  ['uint8', 1],
  ['uint16', 2],
  ['uint32', 4],
  ['uint64', 8],
  ['float16', 2],
  ['float32', 4],
  ['float64', 8],
  ['ticks', 8],
  ['bytes', 0],
  ['points', 0],
];

export const LIMITS = [
  ['depth', 16, 'masks that nodes may keep at a time'],
  ['nodes', 256, 'nodes of a program'],
  ['folds', 64, 'folds of a program'],
  ['columns', 256, 'columns of a program'],
  ['itemBytes', 8192, 'bytes of an item'],
  ['steps', 256, 'steps of a computation'],
  ['registers', 8, 'columns of doubles that a computation may keep at a time'],
  ['keys', 16, 'columns that rows are grouped by'],
  ['keyBytes', 256, 'bytes of the items of a row that it is grouped by, together'],
  ['groups', 16384, 'groups of an answer'],
];

/** Digits of an exact sum of doubles: 2,098 bits, and room above for as many additions as there can be rows. */
export const LIMBS = 68;
export const BOUND_BYTES = 8;
