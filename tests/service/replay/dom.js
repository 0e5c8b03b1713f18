// The least of a DOM that the page needs: enough to run its script and read what it shows. Not a browser.
"use strict";
const fs = require("fs");
const vm = require("vm");

class Node {
  constructor(tag) {
    this.tag = tag; this.children = []; this.attributes = {}; this.listeners = {};
    this.own = ""; this.value = ""; this.scrollTop = 0; this.offsetTop = 0; this.clientHeight = 0;
  }
  set textContent(text) { this.own = String(text); this.children = []; }
  get textContent() { return this.own + this.children.map((child) => child.textContent).join(" "); }
  set innerHTML(text) { throw new Error("the page must not write markup"); }
  get tagName() { return this.tag.toUpperCase(); }
  get id() { return this.attributes.id || ""; }
  set className(name) { this.attributes.class = name; }
  setAttribute(name, value) { this.attributes[name] = String(value); }
  removeAttribute(name) { delete this.attributes[name]; }
  append(...nodes) { this.children.push(...nodes); }
  prepend(...nodes) { this.children.unshift(...nodes); }
  replaceChildren(...nodes) { this.own = ""; this.children = nodes; }
  addEventListener(kind, listener) { this.listeners[kind] = listener; }
  count(tag) { return (this.tag === tag ? 1 : 0) + this.children.reduce((sum, child) => sum + child.count(tag), 0); }
}

const page = fs.readFileSync(process.argv[2], "utf8");
const scripts = [...page.matchAll(/<script([^>]*)>([^]*?)<\/script>/g)];
const nodes = {};
for (const [, tag, id] of page.matchAll(/<(\w+)[^>]*\bid="([\w-]+)"/g)) {
  nodes[id] = new Node(tag);
  nodes[id].attributes.id = id;
}
nodes.data.textContent = scripts[0][2];
const listeners = {};
const sandbox = {
  document: {
    getElementById: (id) => nodes[id],
    createElement: (tag) => new Node(tag),
    createElementNS: (space, tag) => new Node(tag),
    addEventListener: (kind, listener) => { listeners[kind] = listener; },
  },
  history: { replaceState(state, title, hash) { sandbox.location.hash = hash; } },
  location: { hash: "" },
  window: { addEventListener: (kind, listener) => { listeners[kind] = listener; } },
};
vm.createContext(sandbox);
vm.runInContext(scripts[1][2], sandbox);

const press = (key) => listeners.keydown({ key: key, target: new Node("body"), preventDefault() {} });
const shown = () => ({
  version: nodes.version.textContent, said: nodes.said.textContent, table: nodes.table.textContent,
  changed: nodes.changed.textContent, points: nodes.points.textContent, lines: nodes.chart.count("polyline"),
  log: nodes.log.children.length, address: sandbox.location.hash,
  links: nodes.log.children.map((each) => each.children[0].attributes.href), viewers: nodes.viewer.children.map((each) => each.textContent),
});
const seen = [];
for (const key of JSON.parse(process.argv[3])) {
  if (key.startsWith("#")) { sandbox.location.hash = key; listeners.hashchange(); } else if (key) press(key);
  seen.push(shown());
}
process.stdout.write(JSON.stringify(seen));
