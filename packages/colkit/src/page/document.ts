// Sections -> one HTML document that needs nothing else: no network, no fonts, no images.
import { escapeHtml, scriptJson } from './markup.ts';
import { STYLE } from './style.ts';

export interface Section {
  readonly id: string;
  readonly title: string;
  /** HTML. */
  readonly body: string;
}

export interface Document {
  /** What the page calls the file. */
  readonly name: string;
  /** HTML. */
  readonly facts: readonly string[];
  readonly sections: readonly Section[];
  /** What the script reads, as JSON, by the id of its element. */
  readonly embedded: Readonly<Record<string, unknown>>;
}

/** `script`: the bundle of ./browser. */
export function renderDocument({ name, facts, sections, embedded }: Document, script: string): string {
  const links = sections.map(({ id, title }) => `<a href="#${id}">${title}</a>`).join('\n');
  const bodies = sections.map(
    ({ id, title, body }) =>
      `<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>\n${body}\n</section>`,
  );
  const data = Object.entries(embedded).map(
    ([id, value]) => `<script type="application/json" id="${id}">${scriptJson(value)}</script>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${escapeHtml(name)} – colkit inspect</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${escapeHtml(name)}</h1>
<p class="facts">${facts.map((fact) => `<span>${fact}</span>`).join(' ')}</p>
</header>
<nav aria-label="Sections">${links}</nav>
<main>
${bodies.join('\n')}
</main>
${data.join('\n')}
<script>${script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')}</script>
</body>
</html>
`;
}
