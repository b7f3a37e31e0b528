import { compile } from "./where.js";

const words = ["state", "wait", "minutes", "count", "role", "locked", "function", "package", "label", "created_by"];

// valuesOf are the words of a group of goroutines as the JSON report has it.
function valuesOf(bucket) {
  const functions = (bucket.frames || []).map((f) => f.function).filter(Boolean);
  return {
    state: bucket.state, wait: bucket.wait, minutes: bucket.minutes.max, count: bucket.count, role: bucket.role,
    locked: bucket.locked, function: new Set(functions), package: new Set(functions.map(packageOf)),
    label: new Set(bucket.labels), created_by: bucket.created_by ? bucket.created_by.function : "",
  };
}

// packageOf is the import path of a function: up to the first dot behind the last slash.
function packageOf(name) {
  const bare = name.split("[")[0];
  return name.slice(0, bare.indexOf(".", bare.split("(")[0].lastIndexOf("/") + 1));
}

// filterGroups shows the rows of the table for which the condition in the field holds. The condition is kept in the
// address, so that a link leads to the filtered table.
export function filterGroups(table, dumps) {
  const field = document.getElementById("groups-filter");
  const status = document.getElementById("groups-status");
  const rows = [...table.tBodies[0].rows].map((row) => {
    const [d, b] = row.dataset.group.split(".").map(Number);
    return { row, bucket: dumps[d].buckets[b] }; // undefined where the report has left it out, see buckets_cut
  });
  const apply = () => {
    const text = field.value.trim();
    let holds = () => true;
    try {
      if (text) holds = compile(text, words);
      let goroutines = 0;
      let groups = 0;
      let total = 0;
      for (const dump of dumps) {
        for (const bucket of dump.buckets || []) {
          total++;
          if (!holds(valuesOf(bucket))) continue;
          groups++;
          goroutines += bucket.count;
        }
      }
      let shown = 0;
      for (const { row, bucket } of rows) {
        row.hidden = text !== "" && !(bucket && holds(valuesOf(bucket)));
        if (!row.hidden) shown++;
      }
      const beyond = shown < groups ? `; the table holds ${shown} of them` : "";
      status.textContent = text ? `${goroutines} goroutine${goroutines === 1 ? "" : "s"} in ${groups} of ${total} groups${beyond}` : "";
      field.removeAttribute("aria-invalid");
      remember("groups", text);
    } catch (mistake) {
      status.textContent = mistake.message;
      field.setAttribute("aria-invalid", "true");
    }
  };
  field.addEventListener("input", apply);
  field.value = recall("groups");
  if (field.value) apply();
}

// The state of the page is in the address behind the section: #flames&graph=1&search=x.
export function remember(key, value) {
  const [section, ...rest] = location.hash.slice(1).split("&");
  const state = new URLSearchParams(rest.join("&"));
  if (value === "" || value === undefined) state.delete(key);
  else state.set(key, value);
  const text = state.toString();
  history.replaceState(null, "", `#${section}${text ? "&" + text : ""}`);
}

export function recall(key) {
  return new URLSearchParams(location.hash.slice(1).split("&").slice(1).join("&")).get(key) || "";
}
