// Markdown of an agent is a stranger's text: no raw HTML, a short list of tags, no address but web
// addresses, and no picture from elsewhere.
import DOMPurify from "dompurify";
import { Marked } from "marked";
import { useEffect, useRef } from "react";

export function Markdown({ text }: { text: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.replaceChildren(rendered(text)), [text]);
  return <div ref={place} className="prose" />;
}

// --- internal ---

const marked = new Marked({
  gfm: true,
  renderer: {
    // What stands there as HTML is shown as the text it is.
    html: ({ text }) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;"),
  },
});

const tags = (
  "h1 h2 h3 h4 h5 h6 p br hr ul ol li blockquote pre code em strong del a " +
  "table thead tbody tr th td"
).split(" ");

function rendered(text: string): DocumentFragment {
  const html = marked.parse(text, { async: false });
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: tags,
    ALLOWED_ATTR: ["href", "start"],
    ALLOWED_URI_REGEXP: /^https?:\/\//i,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const link of fragment.querySelectorAll("a")) {
    link.rel = "noopener noreferrer";
    link.target = "_blank";
  }
  return fragment;
}
