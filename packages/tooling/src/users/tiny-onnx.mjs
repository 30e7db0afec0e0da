// A model for ONNX Runtime in a few hundred bytes: which of two numbers is the larger, and how often the label says so.
// Written field by field, as ONNX's protocol buffer has them.
const FLOAT = 1;
const INT64 = 7;
const FLOAT16 = 10;
const LABELS = { int32: 6, int64: INT64 };

/** @param label the dtype of its labels. */
export function tinyModel(label) {
  const nodes = [
    node('Cast', ['features'], 'numbers', [integer('to', FLOAT)]),
    node('MatMul', ['numbers', 'weights'], 'logits'),
    node('ArgMax', ['logits'], 'guess', [integer('axis', 1), integer('keepdims', 1)]),
    node('Cast', ['label'], 'wanted', [integer('to', INT64)]),
    node('Equal', ['guess', 'wanted'], 'same'),
    node('Cast', ['same'], 'hits', [integer('to', FLOAT)]),
    node('ReduceMean', ['hits'], 'accuracy', [integer('keepdims', 0)]),
  ];
  const weights = Buffer.from(Float32Array.of(1, 0, 0, 1).buffer);
  const graph = Buffer.concat([
    ...nodes.map((each) => bytes(1, each)),
    text(2, 'larger'),
    bytes(5, Buffer.concat([number(1, 2), number(1, 2), number(2, FLOAT), text(8, 'weights'), bytes(9, weights)])),
    bytes(11, tensor('features', FLOAT16, ['n', 2])),
    bytes(11, tensor('label', LABELS[label], ['n', 1])),
    bytes(12, tensor('accuracy', FLOAT, [])),
  ]);
  const opset = Buffer.concat([text(1, ''), number(2, 13)]);
  return Buffer.concat([number(1, 8), bytes(7, graph), bytes(8, opset)]);
}

/** A score of two numbers: the first, and three times the second. */
export function linearModel() {
  const weights = Buffer.from(Float32Array.of(1, 3).buffer);
  const graph = Buffer.concat([
    bytes(1, node('MatMul', ['features', 'weights'], 'score')),
    text(2, 'linear'),
    bytes(5, Buffer.concat([number(1, 2), number(1, 1), number(2, FLOAT), text(8, 'weights'), bytes(9, weights)])),
    bytes(11, tensor('features', FLOAT, ['n', 2])),
    bytes(12, tensor('score', FLOAT, ['n', 1])),
  ]);
  return Buffer.concat([number(1, 8), bytes(7, graph), bytes(8, Buffer.concat([text(1, ''), number(2, 13)]))]);
}

function node(type, inputs, output, attributes = []) {
  return Buffer.concat([
    ...inputs.map((name) => text(1, name)),
    text(2, output),
    text(4, type),
    ...attributes.map((each) => bytes(5, each)),
  ]);
}

function integer(name, value) {
  return Buffer.concat([text(1, name), number(3, value), number(20, 2)]);
}

function tensor(name, type, dimensions) {
  const shape = Buffer.concat(
    dimensions.map((each) => bytes(1, typeof each === 'string' ? text(2, each) : number(1, each))),
  );
  return Buffer.concat([text(1, name), bytes(2, bytes(1, Buffer.concat([number(1, type), bytes(2, shape)])))]);
}

function varint(value) {
  const out = [];
  for (; value > 127; value = Math.floor(value / 128)) out.push((value % 128) + 128);
  return Buffer.from([...out, value]);
}

function number(field, value) {
  return Buffer.concat([varint(field * 8), varint(value)]);
}

function bytes(field, value) {
  return Buffer.concat([varint(field * 8 + 2), varint(value.length), value]);
}

function text(field, value) {
  return bytes(field, Buffer.from(value));
}
