// How the page looks. Segments have light fills and dark text in both schemes, so that their labels are readable in
// both.

export const STYLE = `
:root { color-scheme: light dark; --bg: #fff; --fg: #1b1f24; --soft: #59636e; --line: #d5dae0; --panel: #f5f7f9;
  --accent: #0b57d0; --bad: #b3261e; --good: #1a7f37; --skip: #e4e7eb; --skip-page: #e4e7eb; }
@media (prefers-color-scheme: dark) { :root { --bg: #14171b; --fg: #e4e8ed; --soft: #9aa5b1; --line: #343b44;
  --panel: #1c2127; --accent: #8ab4f8; --bad: #f2a49c; --good: #7ad08d; --skip: #2b3138; --skip-page: #8b939d; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 3rem; }
body { margin: 0 auto; max-width: 78rem; padding: 1rem clamp(.75rem, 3vw, 2rem) 4rem; background: var(--bg);
  color: var(--fg); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: .5rem 0; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2.25rem 0 .5rem; }
small, .note, .scale, .facts, figcaption { color: var(--soft); }
code, textarea, .candidates { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .9em; }
a { color: var(--accent); }
.facts { margin: 0; display: flex; flex-wrap: wrap; gap: .1rem 1.25rem; overflow-wrap: anywhere; }
.facts b { color: var(--fg); }
nav { position: sticky; top: 0; z-index: 2; display: flex; gap: 1.25rem; padding: .5rem 0; background: var(--bg);
  border-bottom: 1px solid var(--line); }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.picture { margin: 0; }
.scale { margin: .75rem 0 .25rem; font-size: .85rem; }
.strip, .bar { display: flex; overflow: hidden; height: 1.6rem; border-radius: 3px; }
.part, .seg { flex: none; overflow: hidden; white-space: nowrap; font-size: .75rem; line-height: 1.6rem;
  text-align: center; color: #14171b; box-shadow: inset -1px 0 0 var(--bg); }
.part.group { background: #b9c8dc; }
.part.other { background: #d9c7e8; }
.stretches { list-style: none; margin: .5rem 0 0; padding: 0; columns: 16rem; font-size: .85rem; }
.stretches li { break-inside: avoid; overflow-wrap: anywhere; }
.part.unlisted, .seg.unlisted { background: repeating-linear-gradient(45deg, #c9ced6 0 4px, #b4bac3 4px 8px); }
.part.footer, .swatch.footer { background: #f0b7a4; }
.part.magic { background: #14171b; }
.row { display: flex; align-items: center; margin: 2px 0; border-radius: 3px; }
.row .label { flex: none; width: 2.5rem; padding-right: .5rem; text-align: right; color: var(--soft);
  font-size: .8rem; font-variant-numeric: tabular-nums; }
.track { flex: auto; min-width: 0; }
.seg { position: relative; display: flex; text-decoration: none; }
.seg i { flex: none; height: 100%; box-shadow: inset -1px 0 0 rgb(20 23 27 / 25%); }
.seg b { position: absolute; inset: 0; font-weight: 500; overflow: hidden; text-overflow: clip; padding: 0 .15rem; }
.seg:focus-visible { outline-offset: -3px; outline: 3px solid #0b57d0; z-index: 1; }
.seg.unlisted { display: block; }
.seg.merged { background: #aab3bf; }
.seg .dict, .swatch.dict { background-image: repeating-linear-gradient(135deg, rgb(20 23 27 / 30%) 0 2px,
  transparent 2px 5px); }
.skipped > .track > .bar > .seg, .part.skipped { background-color: var(--skip); background-image: none;
  color: var(--soft); }
.seg i.skipped { background-color: var(--skip-page); background-image: none; }
.swatch.dict { background-color: #c9ced6; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; font-size: .85rem; margin: .75rem 0 0; }
.swatch { display: inline-block; width: .8rem; height: .8rem; margin-right: .4rem; border-radius: 2px;
  vertical-align: -1px; }
#segment-info { display: block; min-height: 1.5rem; font-size: .85rem; color: var(--soft); overflow-wrap: anywhere; }
.e-plain { background-color: #c9ced6; } .e-delta { background-color: #8fd0ea; }
.e-dictionary { background-color: #ffd166; } .e-codes { background-color: #f6b26b; }
.e-rle { background-color: #a8dc9b; }
.e-bitpack { background-color: #a3bdf7; } .e-decimal { background-color: #d4b2f2; }
.e-affine { background-color: #7fdcc3; } .e-patched { background-color: #f4a6a0; }
.e-entropy { background-color: #f5b3d9; }
.e-bits { background-color: #dbd779; } .e-joint { background-color: #f6b26b; } .e-other { background-color: #e3d5c5; }
form label { display: block; font-weight: 600; }
textarea { width: 100%; padding: .5rem .6rem; border: 1px solid var(--soft); border-radius: 6px;
  background: var(--panel); color: var(--fg); font-size: 1rem; resize: vertical; }
textarea[aria-invalid="true"] { border-color: var(--bad); }
.examples { margin: .4rem 0; display: flex; flex-wrap: wrap; gap: .4rem; align-items: baseline; }
button { font: inherit; font-size: .85rem; padding: .15rem .55rem; border: 1px solid var(--line);
  border-radius: 999px; background: var(--panel); color: var(--fg); cursor: pointer; max-width: 100%;
    overflow-wrap: anywhere; text-align: left; }
button:hover { border-color: var(--accent); }
#predicate-error { margin: .25rem 0; color: var(--bad); white-space: pre-wrap; overflow-wrap: anywhere;
  font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .85rem; }
#predicate-error:empty, #predicate-more:empty { display: none; }
#predicate-stats { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .5rem;
  margin: .5rem 0; }
#predicate-stats div { padding: .4rem .7rem; border: 1px solid var(--line); border-radius: 6px;
  background: var(--panel); }
#predicate-stats b { display: block; font-size: 1.2rem; font-variant-numeric: tabular-nums; }
#predicate-groups { list-style: none; margin: .5rem 0; padding: 0; columns: 24rem; font-size: .9rem; }
#predicate-groups li { break-inside: avoid; padding: .1rem 0 .1rem 1.4rem; position: relative;
  overflow-wrap: anywhere; }
#predicate-groups li::before { content: "✓"; position: absolute; left: .15rem; color: var(--good); }
#predicate-groups li.skipped { color: var(--soft); }
#predicate-groups li.skipped::before { content: "–"; color: var(--soft); }
#predicate-groups .pages { display: block; color: var(--soft); font-size: .85em; }
.group-table { border-top: 1px solid var(--line); padding: .35rem 0; }
.group-table > summary { cursor: pointer; font-weight: 600; padding: .25rem 0; }
.group-table > summary small { font-weight: 400; margin-left: .5rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .88rem; }
th, td { padding: .3rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line);
  white-space: nowrap; }
thead th { color: var(--soft); font-weight: 500; }
tbody th { font-weight: 500; }
tr:target, tr.focused, tr.focused + .why { background: var(--panel); }
.n { text-align: right; font-variant-numeric: tabular-nums; }
.null { color: var(--soft); font-style: italic; }
.chunks td, .chunks th { white-space: normal; overflow-wrap: anywhere; }
.chunks thead th, .chunks td[data-label="Codec"], .chunks td.n { overflow-wrap: normal; white-space: nowrap; }
.chunks tr:has(+ .why) > * { border-bottom: 0; padding-bottom: 0; }
.values td small { display: block; color: var(--soft); }
.histogram { margin: 0; display: inline-block; }
.histogram svg { display: block; fill: #6f8fd6; }
.histogram figcaption { display: flex; justify-content: space-between; gap: 1rem; font-size: .8em;
  font-variant-numeric: tabular-nums; }
.top { list-style: none; margin: 0; padding: 0; display: grid; gap: .1rem .75rem; align-items: center;
  grid-template-columns: minmax(4rem, max-content) max-content minmax(3rem, 8rem); justify-content: start; }
.top li { display: contents; }
.top .size { margin: 0; height: 8px; }
.words { margin: .5rem 0; }
.words summary { cursor: pointer; color: var(--accent); }
.words dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; font-size: .9em; margin: .5rem 0; }
.words dt { font-weight: 600; }
.words dd { margin: 0; }
h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
.why td { padding-top: 0; color: var(--soft); font-size: .95em; }
.why summary { cursor: pointer; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.size { display: block; height: 4px; margin-top: 3px; min-width: 4rem; }
.size i { display: block; height: 100%; border-radius: 2px; min-width: 1px; }
.candidates { list-style: none; margin: .4rem 0 .6rem; padding: 0; display: grid; grid-template-columns: minmax(0,
  max-content) max-content minmax(3rem, 1fr) max-content; gap: .1rem .75rem; align-items: center; }
.candidates li { display: contents; }
.candidates code { overflow-wrap: anywhere; white-space: normal; }
.candidates .size { margin: 0; height: 8px; }
.candidates .won code { font-weight: 700; }
.candidates em { color: var(--good); font-style: normal; }
p.page { margin: .4rem 0 0; color: var(--soft); }
@media (max-width: 40rem) {
  .chunks, .chunks tbody, .chunks td, .chunks th { display: block; } .chunks thead { display: none; }
  .chunks tr { display: grid; grid-template-columns: 1fr 1fr; gap: 0 .75rem; padding: .25rem 0;
    border-bottom: 1px solid var(--line); }
  .chunks tr:has(+ .why) { border-bottom: 0; padding-bottom: 0; }
  .chunks th, .chunks td, .chunks .why td { border: 0; padding: .1rem 0; text-align: left; } .chunks th[scope="row"],
    .why td, .chunks td[data-label="Encoding"] { grid-column: 1 / -1; }
  .chunks td[data-label]::before { content: attr(data-label) " "; color: var(--soft); } .chunks .size { display: none; }
  .row .label { width: 1.6rem; padding-right: .3rem; } #predicate-stats { grid-template-columns: 1fr 1fr; }
  nav { gap: .9rem; font-size: .92rem; overflow-x: auto; white-space: nowrap; }
  .words dl { grid-template-columns: 1fr; } .words dd { margin: 0 0 .4rem; }
}
@media print { nav, form, .examples { display: none; } }
`;
