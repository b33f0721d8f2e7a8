// A form as an author fills it in: every “…” gets words, every choice is the first of its kind. Plain
// JavaScript, for the agents that tests start as well.

/** Whatever the form left open; what is there already stays. */
export function answered(form) {
  if (Array.isArray(form)) return form.map(answered);
  if (typeof form === "object" && form !== null)
    return Object.fromEntries(Object.entries(form).map(([name, value]) => [name, answered(value)]));
  if (form === "true | false") return true;
  if (typeof form !== "string") return form;
  if (form.includes("…")) return form.replaceAll("…", "item");
  return form.includes(" | ") ? form.split(" | ")[0] : form;
}
