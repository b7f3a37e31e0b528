import { recall, remember } from "./groups.js";

const rowHeight = 19;
const maxRows = 120;
const colours = {
  "select": 205, "chan receive": 190, "chan send": 25, "nil chan": 0, "select no cases": 0, "mutex": 350,
  "rwmutex read": 340, "rwmutex write": 330, "waitgroup": 285, "cond": 265, "semaphore": 310, "io": 150, "sleep": 55,
  "syscall": 90, "cgo": 75, "running": 10, "runnable": 15, "gc": 225, "idle": 215, "other": 235,
};

// drawFlames draws the graph that is chosen on the canvas and returns what draws it again.
export function drawFlames(canvas, graphs) {
  const choice = document.getElementById("flame-choice");
  const search = document.getElementById("flame-search");
  const status = document.getElementById("flame-status");
  const legend = document.getElementById("flame-legend");
  graphs.forEach((g, i) => choice.append(new Option(`${g.title} (${g.scale ? sides(g, g.value[0], g.after[0]) : amount(g.value[0], g.unit)})`, i)));
  choice.value = graphs[recall("graph")] ? recall("graph") : "0";
  search.value = recall("search");

  let graph; // the tree that is drawn, with the children of each node
  let top = 0; // the node that fills the width
  let chosen = -1; // the node that the keyboard is at
  let boxes = []; // what is drawn: node, x, y, width

  function load() {
    graph = treeOf(graphs[choice.value]);
    top = Number(recall("zoom")) || 0;
    if (top >= graph.value.length) top = 0;
    chosen = -1;
    showLegend();
    draw();
  }

  function showLegend() {
    legend.replaceChildren();
    const items = graph.scale
      ? [["more after", shade(0.6)], ["less after", shade(-0.6)], ["change within noise", shade(0)]]
      : graph.kinds.filter(Boolean).map((kind) => [kind, fill(kind, 0)]);
    for (const [text, colour] of items) {
      const item = document.createElement("span");
      const swatch = document.createElement("i");
      swatch.style.background = colour;
      item.append(swatch, text);
      legend.append(item);
    }
    if (graph.scale) legend.append(document.createElement("br"), "Width: before and after together. A stronger colour is a larger part of the function.");
  }

  function draw() {
    const width = Math.max(canvas.clientWidth, 200);
    const path = [];
    for (let n = top; n > 0; n = graph.parent[n]) path.unshift(graph.parent[n]);
    boxes = [];
    const levels = layout(path, width);
    const height = Math.min(levels, maxRows) * rowHeight + 2;
    const scale = devicePixelRatio || 1;
    canvas.width = width * scale;
    canvas.height = height * scale;
    canvas.style.height = `${height}px`;
    paint(canvas.getContext("2d"), scale, width, height);
    report();
  }

  // layout places the ancestors of the top node over the whole width, and what is below it by value.
  function layout(path, width) {
    path.forEach((node, level) => boxes.push({ node, x: 0, y: level * rowHeight, w: width }));
    let levels = path.length;
    const queue = [{ node: top, x: 0, w: width, level: path.length }];
    for (let i = 0; i < queue.length; i++) {
      const { node, x, w, level } = queue[i];
      if (level >= maxRows) continue;
      levels = Math.max(levels, level + 1);
      boxes.push({ node, x, y: level * rowHeight, w });
      let at = x;
      for (const child of graph.children[node]) {
        const part = (w * graph.value[child]) / graph.value[node];
        if (part >= 0.7) queue.push({ node: child, x: at, w: part, level: level + 1 });
        at += part;
      }
    }
    return levels;
  }

  function paint(g, scale, width, height) {
    const style = getComputedStyle(document.documentElement);
    g.setTransform(scale, 0, 0, scale, 0, 0);
    g.fillStyle = style.getPropertyValue("--bg");
    g.fillRect(0, 0, width, height);
    g.font = "12px system-ui, sans-serif";
    g.textBaseline = "middle";
    const wanted = search.value.toLowerCase();
    for (const b of boxes) {
      const dim = wanted !== "" && !matches(b.node, wanted);
      g.fillStyle = dim ? style.getPropertyValue("--soft") : colour(b.node);
      g.fillRect(b.x, b.y, Math.max(b.w - 1, 0.7), rowHeight - 1);
      if (b.w > 30) {
        g.fillStyle = dim ? style.getPropertyValue("--quiet") : "#10151a";
        g.fillText(shorten(g, label(b.node), b.w - 8), b.x + 4, b.y + rowHeight / 2);
      }
      if (b.node === chosen) {
        g.strokeStyle = style.getPropertyValue("--accent");
        g.lineWidth = 2;
        g.strokeRect(b.x + 1, b.y + 1, Math.max(b.w - 3, 1), rowHeight - 3);
      }
    }
  }

  const colour = (node) => (graph.scale ? shade(tendency(graph, node)) : fill(graph.kinds[graph.kind[node]], graph.name[node]));
  const label = (node) => (node === 0 ? "all" : graph.names[graph.name[node]]);
  const matches = (node, wanted) =>
    graph.names[graph.name[node]].toLowerCase().includes(wanted) || graph.places[graph.name[node]].toLowerCase().includes(wanted);
  const describe = (node) => {
    const share = ((100 * graph.value[node]) / graph.value[0]).toFixed(1);
    const place = graph.places[graph.name[node]];
    const much = graph.scale ? change(graph, node) : `${amount(graph.value[node], graph.unit)}, ${share}%`;
    return `${label(node)}${place ? " (" + place + ")" : ""}: ${much}`;
  };

  // report says what the search found, or what the keyboard is at.
  function report() {
    const wanted = search.value.toLowerCase();
    if (chosen >= 0) status.textContent = describe(chosen);
    else if (wanted && graph.scale) status.textContent = `${written(graph, found(wanted, graph.value), found(wanted, graph.after))} pass a match`;
    else if (wanted) status.textContent = `${amount(found(wanted, graph.value), graph.unit)} of ${amount(graph.value[0], graph.unit)} pass a match`;
    else status.textContent = graph.folded ? `${number(graph.folded)} smaller stacks are cut` : "";
  }

  // found adds up the outermost matches, so that nothing counts twice.
  function found(wanted, values) {
    let sum = 0;
    const below = new Uint8Array(graph.value.length);
    for (let n = 1; n < graph.value.length; n++) {
      if (below[graph.parent[n]]) below[n] = 1;
      else if (matches(n, wanted)) {
        below[n] = 1;
        sum += values[n];
      }
    }
    return sum;
  }

  function zoom(node) {
    top = node;
    remember("zoom", node || "");
    draw();
  }

  const under = (event) => {
    const r = canvas.getBoundingClientRect();
    const x = event.clientX - r.left;
    const y = event.clientY - r.top;
    return boxes.find((b) => x >= b.x && x < b.x + b.w && y >= b.y && y < b.y + rowHeight);
  };
  canvas.addEventListener("click", (event) => {
    const b = under(event);
    if (b) zoom(b.node);
  });
  canvas.addEventListener("mousemove", (event) => {
    const b = under(event);
    canvas.title = b ? describe(b.node) : "";
  });
  canvas.addEventListener("keydown", (event) => {
    const node = chosen < 0 ? top : chosen;
    const children = graph.children[node];
    const siblings = node > 0 ? graph.children[graph.parent[node]] : [0];
    const place = siblings.indexOf(node);
    const moves = {
      ArrowDown: () => (chosen < 0 ? top : children[0]), ArrowUp: () => (node > 0 ? graph.parent[node] : 0),
      ArrowRight: () => siblings[place + 1], ArrowLeft: () => siblings[place - 1], Home: () => top,
    };
    if (moves[event.key]) {
      const to = moves[event.key]();
      if (to !== undefined) chosen = to;
      draw();
    } else if (event.key === "Enter") zoom(node);
    else if (event.key === "Escape") {
      chosen = -1;
      zoom(top > 0 ? graph.parent[top] : 0);
    } else return;
    event.preventDefault();
  });
  choice.addEventListener("change", () => {
    remember("graph", choice.value === "0" ? "" : choice.value);
    remember("zoom", "");
    load();
  });
  search.addEventListener("input", () => {
    remember("search", search.value);
    chosen = -1;
    draw();
  });
  document.getElementById("flame-reset").addEventListener("click", () => {
    search.value = "";
    remember("search", "");
    chosen = -1;
    zoom(0);
  });
  addEventListener("resize", draw);
  load();
  return draw;
}

// treeOf adds the children of each node, the widest first.
function treeOf(graph) {
  const children = graph.parent.map(() => []);
  for (let n = 1; n < graph.parent.length; n++) children[graph.parent[n]].push(n);
  for (const list of children) list.sort((a, b) => graph.value[b] - graph.value[a]);
  return { ...graph, children };
}

// tendency is how a function of a comparison changed: from -1, gone, over 0, no more than chance makes, to 1, new.
function tendency(graph, node) {
  const after = graph.after[node];
  const before = graph.value[node] - after;
  const [b, a] = graph.chance || [0, 0];
  const chance = 3.29 * Math.sqrt(before * b + after * a); // as the comparison's functions are judged
  return Math.abs(after - before) <= chance ? 0 : (after - before) / (after + before);
}

// shade is red for more and blue for less, grey for neither; light, so that dark text is readable on it.
function shade(tendency) {
  const much = Math.min(1, 2 * Math.abs(tendency));
  if (much === 0) return "hsl(210 8% 84%)";
  return `hsl(${tendency > 0 ? 8 : 210} ${45 + 45 * much}% ${86 - 18 * much}%)`;
}

// change writes a node's values of both sides: "1.2 → 3.4 cores (+2.2)".
function change(graph, node) {
  const by = tendency(graph, node) === 0 && graph.value[node] !== 2 * graph.after[node] ? ", which may be chance" : "";
  return written(graph, graph.value[node], graph.after[node]) + by;
}

function written(graph, value, after) {
  const by = (2 * after - value) * graph.scale;
  const sign = by > 0 ? "+" : by < 0 ? "-" : "";
  return `${sides(graph, value, after)} (${sign}${amount(Math.abs(by), graph.unit)})`;
}

function sides(graph, value, after) {
  return `${amount((value - after) * graph.scale, graph.unit)} → ${amount(after * graph.scale, graph.unit)}`;
}

// fill is a light colour, so that dark text is readable on it: by the kind of wait, else by the function.
function fill(kind, name) {
  const hue = kind ? (colours[kind] ?? 235) : (name * 47) % 50;
  return `hsl(${hue} 68% ${kind ? 70 + (name % 4) * 2 : 68}%)`;
}

// shorten cuts a function's name to a width: its last part stays, and of that the head.
function shorten(g, text, width) {
  const fits = (s) => g.measureText(s).width <= width;
  if (fits(text)) return text;
  const last = text.match(/[^./]+(\.(func|gowrap|deferwrap)?\d+)*$/)?.[0] ?? text;
  if (fits("…" + last)) {
    let n = last.length;
    while (fits("…" + text.slice(-n - 1))) n++;
    return "…" + text.slice(-n);
  }
  let n = last.length;
  while (n > 1 && !fits(last.slice(0, n) + "…")) n--;
  return n > 1 ? last.slice(0, n) + "…" : "";
}

// amount is a value of a profile for people: "3.98 s", "12.4 MB", "2,764 goroutines".
function amount(n, unit) {
  if (unit.endsWith("/s")) return amount(n, unit.slice(0, -2)) + "/s";
  if (unit === "share") return `${Number((100 * n).toPrecision(3))}%`;
  if (unit === "cores") return `${Number(n.toPrecision(3))} cores`;
  const scale = { nanoseconds: 1e-9, microseconds: 1e-6, milliseconds: 1e-3, seconds: 1 }[unit];
  if (scale) return n * scale >= 0.1 ? `${Number((n * scale).toPrecision(3)).toLocaleString("en-US")} s` : `${Number((n * scale * 1e3).toPrecision(3))} ms`;
  if (unit === "bytes") {
    const step = Math.min(Math.floor(Math.log10(Math.max(n, 1)) / 3), 4);
    return `${Number((n / 1000 ** step).toPrecision(3))} ${["B", "kB", "MB", "GB", "TB"][step]}`;
  }
  return `${number(n)} ${unit}`;
}

function number(n) {
  return Math.round(n).toLocaleString("en-US");
}
