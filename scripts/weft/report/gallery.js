// The gallery. Its list and its first sample are in the page. The others' texts lie in compressed blocks; a
// block is unpacked when one of its samples is looked at.
const $ = (selector, from = document) => from.querySelector(selector);
const all = (selector, from = document) => [...from.querySelectorAll(selector)];

async function unpack(element) {
  const bytes = Uint8Array.from(atob(element.textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

function made(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.textContent = text;
  return element;
}

const panes = Object.fromEntries(all(".pane").map((pane) => [pane.dataset.pane, pane]));
for (const pane of Object.values(panes)) scrollToStart($("pre", pane));

const samples = await unpack($("#index"));
const packed = all("script.block");
const unpacked = new Map();
const perBlock = Number($("#index").dataset.block);
let current = null;

function textsOf(number) {
  const block = Math.floor(number / perBlock);
  if (!unpacked.has(block)) unpacked.set(block, unpack(packed[block]));
  return unpacked.get(block).then((texts) => texts[number % perBlock]);
}

// The list, search and filters.
const list = $("#list");
const rows = all("li", list);
list.addEventListener("click", ({ target }) => {
  const number = rows.indexOf(target.closest("li"));
  if (number >= 0) location.hash = samples[number].id;
});
const searched = samples.map((sample) =>
  [sample.id, sample.kernel_name, sample.description, sample.origin, ...sample.builtins, ...sample.concepts].join(" ").toLowerCase());

const written = (count) => count.toLocaleString("en");

function filter() {
  const words = $("#search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = all("#filters select").filter((one) => one.value);
  let count = 0;
  samples.forEach((sample, number) => {
    const shown = words.every((word) => searched[number].includes(word))
      && wanted.every((one) => [sample[one.dataset.key]].flat().includes(one.value));
    rows[number].hidden = !shown;
    count += shown;
  });
  $("#count").textContent = count ? `${written(count)} of ${written(samples.length)}` : "nothing found";
  list.hidden = !count;
}

$("#filters").addEventListener("input", filter);
$("#filters").addEventListener("submit", (event) => event.preventDefault());

// The sample that is looked at.
const narrow = matchMedia("(max-width: 800px)");

function tell(list, facts) {
  list.replaceChildren(...facts.map(([name, value, className]) => {
    const item = made("li", className, "");
    item.append(made("span", "", name), ` ${value}`);
    return item;
  }));
}

async function show(number) {
  const sample = samples[number];
  current = number;
  const texts = await textsOf(number);
  if (current !== number) return;
  all("[aria-selected]", list).forEach((row) => row.removeAttribute("aria-selected"));
  rows[number].ariaSelected = "true";
  list.setAttribute("aria-activedescendant", rows[number].id);
  keepInSight(rows[number]);
  $("#name").textContent = sample.kernel_name;
  $("#link").textContent = `#${sample.id}`;
  $("#link").href = `#${sample.id}`;
  $("#description").textContent = sample.description;
  tell($("#facts"), sample.facts);
  tell($("#details"), sample.details);
  together = texts.together;
  light({ cuda: [], python: [] });
  for (const [language, pane] of Object.entries(panes)) {
    $("code", pane).innerHTML = texts[language];
    scrollToStart($("pre", pane));
    $(".lines", pane).textContent = texts[language] ? `${sample.lines[language]} lines` : "none";
  }
}

function lineHeight(pre) {
  return parseFloat(getComputedStyle(pre).lineHeight);
}

// What says something of the kernel: behind includes, macros and headers, with the comment above it.
function scrollToStart(pre) {
  const lines = pre.textContent.split("\n");
  let first = lines.findIndex((line) => /^(template|struct|__\w+__|\.visible \.entry)/.test(line));
  while (first > 0 && lines[first - 1].startsWith("//")) first -= 1;
  pre.scrollTo(0, Math.max(first, 0) * lineHeight(pre));
}

function keepInSight(row) {
  if (row.offsetTop < list.scrollTop) list.scrollTop = row.offsetTop;
  const below = row.offsetTop + row.offsetHeight - list.clientHeight;
  if (below > list.scrollTop) list.scrollTop = below;
}

function follow() {
  const id = decodeURIComponent(location.hash.slice(1));
  const number = samples.findIndex((sample) => sample.id === id);
  if (number < 0) {
    if (/-\d{4,}-\d{4,}$/.test(id)) $("#count").textContent = `${id} is not on this page`;
    return false;
  }
  show(number);
  return true;
}

function step(by) {
  let number = (current ?? -1) + by;
  while (rows[number]?.hidden) number += by;
  if (!rows[number]) return;
  history.replaceState(null, "", `#${samples[number].id}`);
  show(number);
}

addEventListener("hashchange", () => {
  if (follow() && !list.matches(":hover, :focus")) $("#viewer").scrollIntoView();
});
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.matches("input, select, textarea");
  if (event.key === "Escape" && typing) event.target.blur();
  if (typing) return;
  const arrows = event.target === list;
  if (event.key === "/") $("#search").focus();
  else if (event.key === "j" || (arrows && event.key === "ArrowDown")) step(1);
  else if (event.key === "k" || (arrows && event.key === "ArrowUp")) step(-1);
  else return;
  event.preventDefault();
});

// Which texts are shown: side by side where there is room, else one.
function view(languages) {
  for (const [language, pane] of Object.entries(panes)) {
    pane.hidden = !languages.has(language);
    $(`[data-view=${language}]`).ariaPressed = String(languages.has(language));
  }
}

function viewAll() {
  view(new Set(narrow.matches ? ["python"] : Object.keys(panes)));
}

for (const button of all("[data-view]")) {
  button.addEventListener("click", () => {
    const { view: language } = button.dataset;
    const shown = new Set(narrow.matches ? [] : Object.keys(panes).filter((one) => !panes[one].hidden));
    if (shown.has(language) && shown.size > 1) shown.delete(language);
    else shown.add(language);
    view(shown);
  });
}
narrow.addEventListener("change", viewAll);

for (const button of all(".copy")) {
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText($("code", button.closest(".pane")).textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1200);
  });
}

// A name under the pointer is lit wherever it stands.
$(".panes").addEventListener("pointerover", ({ target }) => {
  const name = target.matches("code span[class^=n]") ? target.textContent : null;
  for (const span of all("code span", $(".panes"))) span.classList.toggle("same", span.textContent === name);
});

// So are the lines of Python and CUDA that belong together. An entry is [line, last] of CUDA, [line, last] of Python.
let together = [];
let lit = "";

function rangesOf(language, line) {
  const place = language === "cuda" ? 0 : 2;
  const under = together.filter((entry) => entry[place] <= line && line <= entry[place + 1]);
  const sources = new Set(under.map((entry) => `${entry[2]}-${entry[3]}`));
  const found = together.filter((entry) => sources.has(`${entry[2]}-${entry[3]}`));
  return {
    cuda: found.map(([first, last]) => [first, last]),
    python: [...sources].map((source) => source.split("-").map(Number)),
  };
}

function light(ranges) {
  if (lit === JSON.stringify(ranges)) return;
  lit = JSON.stringify(ranges);
  for (const language of ["python", "cuda"]) {
    $(".lights", panes[language]).replaceChildren(...ranges[language].map(([first, last]) => {
      const band = made("i", "", "");
      band.style.top = `${first - 1}lh`;
      band.style.height = `${last - first + 1}lh`;
      return band;
    }));
  }
}

function lineAt(pre, y) {
  return 1 + Math.floor((y - $("code", pre).getBoundingClientRect().top) / lineHeight(pre));
}

for (const language of ["python", "cuda"]) {
  const pre = $("pre", panes[language]);
  const other = $("pre", panes[language === "cuda" ? "python" : "cuda"]);
  pre.addEventListener("pointermove", ({ clientY }) => light(rangesOf(language, lineAt(pre, clientY))));
  pre.addEventListener("pointerleave", () => light({ cuda: [], python: [] }));
  pre.addEventListener("click", ({ clientY }) => {
    const ranges = rangesOf(language, lineAt(pre, clientY));
    light(ranges);
    const [first] = ranges[language === "cuda" ? "python" : "cuda"];
    if (!first || getSelection().type === "Range") return;
    const top = (first[0] - 1) * lineHeight(other);
    const seen = top >= other.scrollTop && top + 3 * lineHeight(other) <= other.scrollTop + other.clientHeight;
    if (!seen) other.scrollTo({ top: top - other.clientHeight / 3, behavior: "smooth" });
  });
}

viewAll();
filter();
if (!follow()) show(0);
