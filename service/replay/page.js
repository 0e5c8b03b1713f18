"use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const last = data.events.length;
  const every = 20;
  const kept = data.viewers.map(() => []);
  let version = 1, viewer = 0;

  const byId = (id) => document.getElementById(id);
  function make(tag, text, attributes) {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
    return made;
  }
  const copy = (value) => JSON.parse(JSON.stringify(value));

  // JSON Patch, as it is written here: add, remove, replace.
  function apply(root, patch) {
    const holder = { root: root };
    for (const change of patch) {
      const steps = ["root"].concat(change.path.split("/").slice(1)
        .map((step) => step.replace(/~1/g, "/").replace(/~0/g, "~")));
      const name = steps.pop();
      let place = holder;
      for (const step of steps) place = place[step];
      const value = change.value === undefined ? undefined : copy(change.value);
      if (change.op === "remove") {
        if (Array.isArray(place)) place.splice(Number(name), 1); else delete place[name];
      } else if (change.op === "add" && Array.isArray(place)) {
        place.splice(Number(name), 0, value);
      } else {
        Object.defineProperty(place, name, { value: value, writable: true, enumerable: true, configurable: true });
      }
    }
    return holder.root;
  }

  // The view of a viewer at a version; every twentieth is kept, so that going back is quick.
  function viewAt(who, at) {
    const mine = data.viewers[who];
    let slot = Math.floor((at - 1) / every);
    while (slot > 0 && kept[who][slot] === undefined) slot -= 1;
    if (kept[who][0] === undefined) kept[who][0] = mine.first;
    let view = copy(kept[who][slot]);
    for (let n = slot * every + 1; n < at; n += 1) {
      view = apply(view, mine.patches[n - 1]);
      if (n % every === 0) kept[who][n / every] = copy(view);
    }
    return view;
  }

  const named = (text) => {
    if (Object.prototype.hasOwnProperty.call(data.names, text)) return data.names[text];
    const found = /^(.*)-(\d+)$/.exec(text);
    if (found && Object.prototype.hasOwnProperty.call(data.names, found[1])) {
      return data.names[found[1]] + (found[2] === "1" ? "" : " (" + found[2] + ")");
    }
    return text;
  };
  const words = (key) => key.replace(/_/g, " ");
  function said(value) {
    if (value === null || value === undefined) return "–";
    if (typeof value === "boolean") return value ? "yes" : "no";
    if (typeof value === "string") return /^[0-9a-f]{32,}$/.test(value) ? value.slice(0, 8) + "…" : named(value);
    if (Array.isArray(value)) {
      const nested = value.some((each) => each !== null && typeof each === "object");
      return value.length ? value.map(said).join(nested ? "; " : ", ") : "–";
    }
    if (typeof value === "object") {
      const shown = Object.entries(value).filter(([, each]) => !empty(each));
      return shown.length ? shown.map(([key, each]) => named(words(key)) + " " + said(each)).join(", ") : "–";
    }
    return String(value);
  }
  const empty = (value) => value === null || value === 0 || value === "" || value === false ||
    (typeof value === "object" && Object.keys(value).length === 0);
  const isRows = (value) => Array.isArray(value) && value.length > 0 &&
    value.every((each) => each !== null && typeof each === "object" && !Array.isArray(each)) &&
    ("seat" in value[0] || "city" in value[0]);

  function rows(title, list, before) {
    const table = make("table"), caption = make("caption", words(title));
    table.append(caption);
    const keys = [...new Set(list.flatMap((row) => Object.keys(row)))];
    const head = make("tr");
    head.append(make("th", words(keys[0]), { scope: "row" }));
    for (const row of list) head.append(make("th", String(row[keys[0]]), { scope: "col" }));
    table.append(head);
    for (const key of keys.slice(1)) {
      const line = make("tr");
      line.append(make("th", words(key), { scope: "row" }));
      list.forEach((row, number) => {
        const cell = make("td", said(row[key]));
        const old = before && before[number] ? before[number][key] : undefined;
        if (before && JSON.stringify(old) !== JSON.stringify(row[key])) cell.className = "new";
        line.append(cell);
      });
      table.append(line);
    }
    return table;
  }

  function showTable(view, before) {
    const place = byId("table"), state = view.state || {}, old = (before && before.state) || null;
    place.replaceChildren();
    const plain = make("table");
    const seats = view.seats.map((seat) => "seat " + seat.seat + ": " +
      (seat.kind === "bot" ? "bot " + (seat.bot || "") : seat.kind) + (seat.resigned ? ", resigned" : "")).join("; ");
    const about = { status: view.status, "waits for": view.awaited.map((seat) => "seat " + seat), seats: seats };
    for (const [key, value] of [...Object.entries(about), ...Object.entries(state)]) {
      if (isRows(value)) {
        place.append(rows(key, value, old ? old[key] || [] : null));
      } else if (!empty(value)) {
        const line = make("tr");
        line.append(make("th", words(key), { scope: "row" }));
        const cell = make("td", said(value));
        if (old && key in state && JSON.stringify(old[key]) !== JSON.stringify(value)) cell.className = "new";
        line.append(cell);
        plain.append(line);
      }
    }
    place.prepend(plain);
    if (view.outcome) place.append(rows("outcome: " + view.outcome.reason,
      view.outcome.scores.map((each) => Object.assign({ seat: each.seat, total: each.total }, each.categories)), null));
  }

  function showChanges() {
    const place = byId("changed");
    place.replaceChildren();
    if (version === 1) return;
    const patch = data.viewers[viewer].patches[version - 2].filter((change) => change.path !== "/version");
    for (const change of patch.slice(0, 60)) {
      const where = change.path.split("/").slice(1).map((step) => words(step.replace(/~1/g, "/").replace(/~0/g, "~")));
      place.append(make("li", where.join(" › ") + (change.op === "remove" ? " is gone" : ": " + said(change.value))));
    }
  }

  const eventLine = (event) => event.occurred_at.slice(11, 19) + " " + event.actor + " " +
    words(event.type.split(".").pop()) + ": " + said(event.data);
  const items = data.events.map((event, index) => {
    const item = make("li");
    item.append(make("a", eventLine(event), { href: "#" + (index + 1) }));
    return item;
  });
  byId("log").append(...items);

  // The chart: a line a seat, its dashes and its name telling it from the others without colours.
  const svgNs = "http://www.w3.org/2000/svg";
  const drawn = (tag, attributes, text) => {
    const made = document.createElementNS(svgNs, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const wide = 800, high = 240, edge = 34;
  const all = data.points.flat(), top = Math.max(1, ...all), bottom = Math.min(0, ...all);
  const x = (at) => edge + (wide - 2 * edge) * (last > 1 ? (at - 1) / (last - 1) : 0);
  const y = (value) => high - edge - (high - 2 * edge) * (value - bottom) / (top - bottom);
  const colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#777777"];
  const dashes = ["", "8 3", "2 3", "8 3 2 3", "12 4", "4 4", "1 4"];
  const svg = drawn("svg", { viewBox: "0 0 " + wide + " " + high, role: "img", "aria-labelledby": "chart-title chart-about" });
  svg.append(drawn("title", { id: "chart-title" }, "Points of every seat over the match"));
  svg.append(drawn("desc", { id: "chart-about" }, "The same figures for the version shown stand in the table below."));
  for (const value of [bottom, Math.round((top + bottom) / 2), top]) {
    svg.append(drawn("line", { x1: edge, x2: wide - edge, y1: y(value), y2: y(value), stroke: "currentColor", "stroke-opacity": ".25" }));
    svg.append(drawn("text", { x: 4, y: y(value) + 4 }, String(value)));
  }
  const seatCount = Math.max(0, ...data.points.map((row) => row.length));
  const final = data.points[last - 1];
  // Names at the ends of the lines, from the top down, none over another.
  const ends = final.map((value, seat) => ({ seat: seat, at: y(value) + 4 })).sort((one, other) => one.at - other.at);
  ends.forEach((end, place) => { if (place) end.at = Math.max(end.at, ends[place - 1].at + 18); });
  const over = ends.length ? Math.max(0, ends[ends.length - 1].at - (high - 4)) : 0;
  for (const end of ends) {
    svg.append(drawn("text", { x: wide - edge + 4, y: end.at - over, class: "end" }, "s" + end.seat));
  }
  for (let seat = 0; seat < seatCount; seat += 1) {
    const line = data.points.map((row, index) => row.length > seat ? x(index + 1) + "," + y(row[seat]) : "").filter(Boolean);
    svg.append(drawn("polyline", { points: line.join(" "), fill: "none", stroke: colours[seat % 7],
      "stroke-width": "2", "stroke-dasharray": dashes[seat % 7] }));
  }
  const cursor = drawn("line", { y1: edge / 2, y2: high - edge, stroke: "#c60", "stroke-width": "2" });
  svg.append(cursor);
  byId("chart").append(svg);

  function showPoints() {
    const now = data.points[version - 1];
    cursor.setAttribute("x1", x(version));
    cursor.setAttribute("x2", x(version));
    byId("points").replaceChildren();
    if (now.length) byId("points").append(rows("points now", now.map((value, seat) => ({ seat: seat, points: value })), null));
  }

  function go(to) {
    version = Math.min(last, Math.max(1, to));
    byId("slider").value = String(version);
    byId("version").textContent = version + " of " + last;
    const event = data.events[version - 1];
    byId("said").textContent = "Version " + version + ": " + eventLine(event);
    showTable(viewAt(viewer, version), version > 1 ? viewAt(viewer, version - 1) : null);
    showChanges();
    showPoints();
    items.forEach((item, index) => {
      if (index === version - 1) item.setAttribute("aria-current", "true"); else item.removeAttribute("aria-current");
    });
    const log = byId("log"), current = items[version - 1];
    log.scrollTop = current.offsetTop - log.offsetTop - log.clientHeight / 2;
    const address = "#" + version + (viewer ? "." + viewer : "");
    try { history.replaceState(null, "", address); } catch (error) { /* not where a page has no address */ }
  }

  data.viewers.forEach((each, index) => byId("viewer").append(make("option", each.name, { value: String(index) })));
  byId("slider").max = String(last);
  byId("slider").addEventListener("input", (event) => go(Number(event.target.value)));
  byId("viewer").addEventListener("change", (event) => { viewer = Number(event.target.value); go(version); });
  byId("start").addEventListener("click", () => go(1));
  byId("back").addEventListener("click", () => go(version - 1));
  byId("next").addEventListener("click", () => go(version + 1));
  byId("end").addEventListener("click", () => go(last));
  const keys = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -last, End: last };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
    if (event.target.id === "slider" && event.key !== "s") return;
    if (event.key in keys) { event.preventDefault(); go(version + keys[event.key]); }
    if (event.key === "s") {
      viewer = (viewer + 1) % data.viewers.length;
      byId("viewer").value = String(viewer);
      go(version);
    }
  });
  // An address names a version, and a viewer by its place in the list: #42, #42.1.
  function visit() {
    const [at, seen] = location.hash.slice(1).split(".").map(Number);
    if (data.viewers[seen]) viewer = seen;
    byId("viewer").value = String(viewer);
    go(at || 1);
  }
  window.addEventListener("hashchange", visit);
  visit();
})();
