// The page is complete without this script: it draws flame graphs, sorts and filters tables, copies commands and
// switches between dark and light.
import { drawFlames } from "./flame.js";
import { filterGroups } from "./groups.js";
import { sortTables } from "./tables.js";

// unpack returns the JSON of a block of data, or null where the browser can't decompress it.
async function unpack(id) {
  const element = document.getElementById(id);
  if (!element || typeof DecompressionStream === "undefined") return null;
  const bytes = Uint8Array.from(atob(element.textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

// reveal shows what works only with this script.
function reveal(element) {
  if (element) element.hidden = false;
}

function copyButtons() {
  for (const pre of document.querySelectorAll(".next pre")) {
    const text = pre.textContent;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      button.textContent = (await copy(text)) ? "Copied" : "Select it by hand";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    pre.append(button);
  }
}

// copy works from file:// too, where the clipboard's own interface may be refused.
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

function themeButton(changed) {
  const button = document.getElementById("theme");
  const root = document.documentElement;
  reveal(button);
  button.addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    changed();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
}

// openTarget opens what a link into the page points at.
function openTarget() {
  const id = decodeURIComponent(location.hash.slice(1)).split("&")[0];
  const target = id && document.getElementById(id);
  const details = target && target.querySelector("details");
  if (details) details.open = true;
}

async function start() {
  let redraw = () => {};
  themeButton(() => redraw());
  copyButtons();
  sortTables();
  openTarget();
  addEventListener("hashchange", openTarget);
  addEventListener("beforeprint", () => {
    for (const d of document.querySelectorAll(".finding details")) d.open = true;
  });
  const table = document.getElementById("groups-table");
  if (table) {
    const report = await unpack("triage-report");
    if (report) {
      reveal(document.getElementById("groups-filter").closest(".controls"));
      filterGroups(table, report.dumps || []);
    }
  }
  const canvas = document.getElementById("flame");
  if (canvas) {
    const graphs = await unpack("triage-drawings");
    if (graphs && graphs.length > 0) {
      reveal(document.getElementById("flames"));
      for (const link of document.querySelectorAll("nav a.js")) reveal(link);
      redraw = drawFlames(canvas, graphs);
    }
  }
  document.documentElement.dataset.ready = "true";
}

start();
