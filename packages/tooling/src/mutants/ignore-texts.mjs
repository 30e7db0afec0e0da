// Texts of errors are no contract (their classes, codes and fields are), so no mutant is made of them: strings with a
// space in them, templates, what stands behind `expected:` and `found:`, and the choice of one text or another.
const TEXT_FIELDS = new Set(['expected', 'found', 'reason', 'remedy', 'message']);

export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'texts',
    value: {
      shouldIgnore({ node, parent }) {
        const isField = parent?.type === 'ObjectProperty' && parent.value === node && TEXT_FIELDS.has(parent.key.name);
        return isText(node) || (isField && node.type === 'StringLiteral') ? 'a text for people' : undefined;
      },
    },
  },
];

function isText(node) {
  if (node.type === 'ConditionalExpression') return isText(node.consequent) && isText(node.alternate);
  return node.type === 'TemplateLiteral' || (node.type === 'StringLiteral' && node.value.includes(' '));
}
