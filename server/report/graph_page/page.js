"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = new Map(data.nodes.map((node) => [node.id, node]));
  const svg = document.getElementById("graph");
  const panel = document.getElementById("details");
  const elements = new Map([...svg.querySelectorAll(".node")].map((element) => [element.dataset.id, element]));
  const edges = [...svg.querySelectorAll(".edge")];
  let chosen = null;

  const make = (tag, text, className) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (className) element.className = className;
    return element;
  };

  const links = (id) => data.edges.filter((edge) => edge.source === id || edge.target === id);

  // --- the panel

  const list = (title, id, found, other) => {
    if (!found.length) return;
    panel.append(make("h3", title));
    const ul = make("ul");
    for (const edge of found) {
      const node = byId.get(other(edge));
      const li = make("li", undefined, edge.relation);
      const button = make("button");
      button.type = "button";
      button.append(make("span", node.description), make("small", `${node.kind} · ${edge.reason}`));
      button.addEventListener("click", () => choose(node.id, true));
      li.append(button);
      ul.append(li);
    }
    panel.append(ul);
  };

  const show = (id) => {
    panel.replaceChildren();
    const node = byId.get(id);
    if (!node) {
      panel.append(make("h2", "Nothing chosen"), make("p", "Choose a node: click it, or reach the graph with Tab, move with the arrow keys and press Enter. Escape clears.", "meta"));
      const mains = data.nodes.filter((item) => item.key === "main");
      if (mains.length) {
        panel.append(make("h3", "Main claims"));
        const ol = make("ol");
        for (const main of mains) {
          const li = make("li");
          const button = make("button", main.description);
          button.type = "button";
          button.addEventListener("click", () => choose(main.id, true));
          li.append(button);
          ol.append(li);
        }
        panel.append(ol);
      }
      for (const note of data.notes) panel.append(make("p", note, "meta"));
      return;
    }
    const distance = node.distance === null ? "no path to a main claim" : node.distance === 0 ? "" : `${node.distance} hop${node.distance > 1 ? "s" : ""} from a main claim`;
    panel.append(make("h2", node.description));
    panel.append(make("p", [node.kind, node.sectionTitle || node.section, distance, `found by ${node.origin}`].filter(Boolean).join(" · "), "meta"));
    for (const place of node.places) {
      const figure = make("figure");
      figure.append(make("figcaption", place.where), make("pre", place.text));
      panel.append(figure);
    }
    const here = links(id);
    list("Contradicted by or contradicting", id, here.filter((edge) => edge.relation === "contradicts"), (edge) => (edge.source === id ? edge.target : edge.source));
    list("Supported by", id, here.filter((edge) => edge.relation === "supports" && edge.target === id), (edge) => edge.source);
    list("Supports", id, here.filter((edge) => edge.relation === "supports" && edge.source === id), (edge) => edge.target);
    panel.scrollTop = 0;
  };

  // --- choosing and moving

  const choose = (id, focus) => {
    chosen = byId.has(id) ? id : null;
    for (const [other, element] of elements) {
      element.classList.toggle("chosen", other === chosen);
      element.setAttribute("aria-pressed", String(other === chosen));
    }
    for (const edge of edges) edge.classList.toggle("lit", chosen !== null && (edge.dataset.source === chosen || edge.dataset.target === chosen));
    show(chosen);
    filter();
    if (chosen && focus) reach(elements.get(chosen));
  };

  const reach = (element) => {
    for (const other of elements.values()) other.tabIndex = -1;
    element.tabIndex = 0;
    element.focus();
  };

  const point = (element) => {
    const node = byId.get(element.dataset.id);
    return [node.x, node.y];
  };

  const ways = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
  const next = (from, [dx, dy]) => {
    const [x, y] = point(from);
    let best = null;
    let least = Infinity;
    for (const element of elements.values()) {
      if (element === from || element.classList.contains("faded")) continue;
      const [px, py] = point(element);
      const along = (px - x) * dx + (py - y) * dy;
      const across = Math.abs((px - x) * dy - (py - y) * dx);
      if (along <= 0.5) continue;
      const cost = along + 2.5 * across;
      if (cost < least) [best, least] = [element, cost];
    }
    return best;
  };

  svg.addEventListener("click", (event) => {
    const element = event.target.closest(".node");
    if (element) { choose(element.dataset.id, true); } else if (!moved) { choose(null); }
  });
  svg.addEventListener("keydown", (event) => {
    const element = event.target.closest(".node");
    if (event.key === "Escape") { choose(null); return; }
    if (!element) return;
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(element.dataset.id, true); }
    if (ways[event.key]) {
      event.preventDefault();
      const other = next(element, ways[event.key]);
      if (other) reach(other);
    }
  });

  // --- filters

  const kinds = [...document.querySelectorAll("#kinds input")];
  const section = document.getElementById("section");
  const words = document.getElementById("words");
  const count = document.getElementById("count");

  const filter = () => {
    const wanted = new Set(kinds.filter((box) => box.checked).map((box) => box.value));
    const text = words.value.trim().toLowerCase();
    const near = new Set();
    if (chosen) { near.add(chosen); for (const edge of links(chosen)) { near.add(edge.source); near.add(edge.target); } }
    const visible = new Set();
    for (const node of data.nodes) {
      const fits = wanted.has(node.key) && (!section.value || node.section === section.value) && (!text || node.search.includes(text));
      if (fits) visible.add(node.id);
      elements.get(node.id).classList.toggle("faded", !fits || (chosen !== null && !near.has(node.id)));
    }
    for (const edge of edges) {
      const lit = chosen === null || edge.dataset.source === chosen || edge.dataset.target === chosen;
      edge.classList.toggle("faded", !lit || !visible.has(edge.dataset.source) || !visible.has(edge.dataset.target));
    }
    count.textContent = `${visible.size} of ${data.nodes.length} nodes`;
  };
  for (const control of [...kinds, section]) control.addEventListener("change", filter);
  words.addEventListener("input", filter);

  // --- moving and scaling the drawing

  const [left, top, width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  let view = [left, top, width, height];
  let moved = false;
  const apply = () => svg.setAttribute("viewBox", view.map((n) => n.toFixed(2)).join(" "));
  const scale = (factor, x = view[0] + view[2] / 2, y = view[1] + view[3] / 2) => {
    const w = Math.min(Math.max(view[2] * factor, width / 20), width * 2);
    const real = w / view[2];
    view = [x - (x - view[0]) * real, y - (y - view[1]) * real, w, view[3] * real];
    apply();
  };
  const at = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    const place = at(event);
    scale(event.deltaY > 0 ? 1.15 : 1 / 1.15, place.x, place.y);
  }, { passive: false });
  let start = null;
  svg.addEventListener("pointerdown", (event) => { moved = false; if (!event.target.closest(".node")) start = at(event); });
  window.addEventListener("pointermove", (event) => {
    if (!start) return;
    const now = at(event);
    if (Math.hypot(now.x - start.x, now.y - start.y) < 2 && !moved) return;
    moved = true;
    svg.classList.add("dragged");
    view = [view[0] + start.x - now.x, view[1] + start.y - now.y, view[2], view[3]];
    apply();
  });
  window.addEventListener("pointerup", () => { start = null; svg.classList.remove("dragged"); });
  document.getElementById("in").addEventListener("click", () => scale(1 / 1.3));
  document.getElementById("out").addEventListener("click", () => scale(1.3));
  document.getElementById("whole").addEventListener("click", () => { view = [left, top, width, height]; apply(); });

  if (data.nodes.length) elements.get((data.nodes.find((node) => node.key === "main") || data.nodes[0]).id).tabIndex = 0;
  // An address that ends in #node-… opens the page at that node.
  const linked = () => { if (location.hash.startsWith("#node-")) choose(decodeURIComponent(location.hash.slice(6)), true); };
  window.addEventListener("hashchange", linked);
  show(null);
  filter();
  linked();
})();
