// Texts of errors are no contract (their classes, codes and fields are), so no mutant is made of them: strings with a
// space in them, templates, and what stands behind `expected:` and `found:`.
const TEXT_FIELDS = new Set(['expected', 'found', 'reason', 'remedy', 'message']);

export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'texts',
    value: {
      shouldIgnore({ node, parent }) {
        const isText = node.type === 'TemplateLiteral' || (node.type === 'StringLiteral' && node.value.includes(' '));
        const isField = parent?.type === 'ObjectProperty' && parent.value === node && TEXT_FIELDS.has(parent.key.name);
        return isText || (isField && node.type === 'StringLiteral') ? 'a text for people' : undefined;
      },
    },
  },
];
