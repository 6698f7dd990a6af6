/* The text of each hit of a search, from texts.js. A page on the file system may not fetch others. */
"use strict";

/* The part of a text around the first place of one of these words, cut at spaces; "" without one. */
function excerptOf(text, words) {
  const low = text.toLowerCase();
  const places = words.map((word) => low.indexOf(word)).filter((at) => at >= 0);
  if (!places.length) return "";
  const first = Math.min(...places);
  let from = Math.max(0, first - 80), to = Math.min(text.length, first + 160);
  while (from > 0 && !/\s/.test(text[from - 1])) --from;
  while (to < text.length && !/\s/.test(text[to])) ++to;
  return (from > 0 ? "… " : "") + text.slice(from, to).trim() + (to < text.length ? " …" : "");
}

/* The words of a query, and after them their beginnings, since the search also finds other endings. */
function wordsOf(query) {
  const words = query.toLowerCase().split(/[^\p{L}\p{N}_.]+/u).filter((word) => word.length > 1);
  return [words, words.filter((word) => word.length > 4).map((word) => word.slice(0, Math.max(4, word.length - 3)))];
}

/* The page of a link to a hit: docs/theory/laws of docs/theory/laws.html#patches. */
function pageOf(link) {
  return link.replace(/#.*$/, "").replace(/\?.*$/, "").replace(/\.html$/, "");
}

function textOfHit(link, query, texts) {
  const text = texts[pageOf(link)] || "";
  for (const words of wordsOf(query)) {
    const excerpt = excerptOf(text, words);
    if (excerpt) return excerpt;
  }
  return text.slice(0, 240);
}

function showTexts() {
  const query = new URLSearchParams(window.location.search).get("q") || "";
  for (const hit of document.querySelectorAll("#search-results ul.search > li:not(.with-text)")) {
    const link = hit.querySelector("a");
    if (!link) continue;
    hit.classList.add("with-text");
    const text = document.createElement("p");
    text.className = "context";
    text.textContent = textOfHit(link.getAttribute("href"), query, pageTexts);
    hit.appendChild(text);
  }
}

if (typeof document !== "undefined")
  document.addEventListener("DOMContentLoaded", () => {
    const results = document.getElementById("search-results");
    if (results) new MutationObserver(showTexts).observe(results, {childList: true, subtree: true});
    showTexts();
  });
