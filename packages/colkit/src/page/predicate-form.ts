// Where a predicate is typed, and what the script shows below it.
import { escapeHtml } from './markup.ts';

/** @param skipped HTML of what tells which parts a scan would skip; empty where nothing tells it. */
export function predicateForm(intro: string, examples: readonly string[], skipped: string): string {
  const buttons = examples
    .map((text) => `<button type="button" class="example">${escapeHtml(text)}</button>`)
    .join(' ');
  return `<p>${intro}</p>
<noscript><p class="note">This part needs JavaScript.
<code>npx colkit query FILE PREDICATE</code> gives the rows of the whole file.</p></noscript>
<form id="predicate-form"><label for="predicate">Predicate</label>
<textarea id="predicate" rows="2" spellcheck="false" autocomplete="off" autocapitalize="off"
aria-describedby="predicate-error predicate-matches">${escapeHtml(examples[0] ?? '')}</textarea></form>
${examples.length === 0 ? '' : `<p class="examples">For example: ${buttons}</p>`}
<p id="predicate-error" role="alert"></p>
${skipped}<h3 id="matches-title">Sampled rows that match</h3>
<p id="predicate-matches" role="status" aria-live="polite"></p>
<div class="scroll" role="region" tabindex="0" aria-labelledby="matches-title" id="predicate-rows"></div>`;
}
