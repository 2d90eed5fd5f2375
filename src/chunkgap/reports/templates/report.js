"use strict";
// The page's own script: draws the figures, follows the theme, sorts and searches the queries. Texts from outside
// enter the document as text nodes only.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const queries = data.queries;
  const byId = (id) => document.getElementById(id);
  const PAGE = 25;
  const DASH = "\u2013";

  // ---- theme ----

  const root = document.documentElement;
  const darkSystem = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : darkSystem.matches);
  let printing = false;

  const remembered = (value) => {
    try { // storage is refused to some pages opened from disk
      if (value) localStorage.setItem("chunkgap-theme", value);
      return localStorage.getItem("chunkgap-theme");
    } catch { return null; }
  };

  function showTheme() {
    byId("theme").textContent = isDark() ? "Light" : "Dark";
    byId("theme").setAttribute("aria-label", `Switch to the ${isDark() ? "light" : "dark"} theme`);
    drawAll();
  }

  // ---- figures ----

  const colourOf = (name) => getComputedStyle(root).getPropertyValue(name).trim();

  function recoloured(value, key = "") {
    if (Array.isArray(value)) return value.map((item) => recoloured(item, key));
    if (value && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, recoloured(item, name)]));
    }
    return /color(scale)?$/.test(key) && Object.hasOwn(data.dark, value) ? data.dark[value] : value;
  }

  function themed(figure) {
    const { data: traces, layout } = isDark() ? recoloured(figure) : structuredClone(figure);
    const axis = {
      gridcolor: colourOf("--rule"), linecolor: colourOf("--strong-rule"), zerolinecolor: colourOf("--strong-rule"),
      zerolinewidth: 1, tickcolor: colourOf("--strong-rule"),
    };
    return [traces, {
      ...layout,
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      font: { color: colourOf("--ink"), size: 13, family: getComputedStyle(document.body).fontFamily },
      hoverlabel: { bgcolor: colourOf("--card"), bordercolor: colourOf("--strong-rule"), font: { color: colourOf("--ink") }, align: "left" },
      xaxis: { ...axis, ...layout.xaxis },
      yaxis: { ...axis, ...layout.yaxis },
    }];
  }

  const options = { displayModeBar: false, responsive: true, displaylogo: false };

  function draw(element) {
    const figure = element.dataset.chart === "map" ? filledMap() : data.charts[element.dataset.chart];
    if (figure && element.offsetParent !== null) return Plotly.react(element, ...themed(figure), options);
    return null;
  }

  function drawAll() { document.querySelectorAll("[data-chart]").forEach(draw); }

  // ---- queries: order and choice ----

  const number = (text) => (text === DASH || text === null ? null : Number.parseFloat(text));
  const columns = [
    { name: "query", text: true, of: (row) => row.id },
    { name: "text", text: true, of: (row) => row.text },
    ...queries.scales.map((name, place) => ({ name, of: (row) => row.values[place] })),
    ...(queries.fusion ? [{ name: queries.fusion, of: (row) => row.fused }] : []),
    { name: "gap", of: (row) => row.gap },
  ];
  const gapColumn = columns.length - 1;
  const state = { column: gapColumn, ascending: false, page: 0, words: "", rows: [] };

  queries.rows = queries.rows.map(([id, text, tags, relevant, values, ranks, fused, fusedRank, gap, place]) => {
    const named = tags.map((tag) => queries.tags[tag]);
    const haystack = [id, text, ...named].join("\n").toLowerCase();
    return { id, text, tags: named, relevant, values, ranks, fused, fusedRank, gap, place, haystack };
  });

  function compare(left, right) {
    const column = columns[state.column];
    if (!column) return left.place - right.place;
    const sign = state.ascending ? 1 : -1;
    if (column.text) return sign * (column.of(left) < column.of(right) ? -1 : column.of(left) > column.of(right) ? 1 : 0) || left.place - right.place;
    const [a, b] = [number(column.of(left)), number(column.of(right))];
    if (a === null || b === null) return (a === null) - (b === null) || left.place - right.place;
    return sign * (a - b) || left.place - right.place;
  }

  function choose() {
    const words = state.words.toLowerCase().split(/\s+/).filter(Boolean);
    state.rows = queries.rows.filter((row) => words.every((word) => row.haystack.includes(word))).sort(compare);
    state.page = 0;
    byId("found").textContent = `${state.rows.length.toLocaleString("en")} of ${queries.rows.length.toLocaleString("en")} queries`;
    showTable();
    draw(document.querySelector('[data-chart="map"]'));
  }

  // ---- queries: table ----

  function made(tag, text = "", attributes = {}) {
    const element = document.createElement(tag);
    element.textContent = text;
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  }

  function opener(row) {
    const button = made("button", row.id, { type: "button", class: "open" });
    button.addEventListener("click", () => openQuery(row));
    return button;
  }

  function showHead() {
    const line = made("tr");
    columns.forEach((column, place) => {
      const head = made("th", "", { scope: "col", class: column.text ? "text" : "number" });
      if (place === state.column) head.setAttribute("aria-sort", state.ascending ? "ascending" : "descending");
      const button = made("button", column.name, { type: "button" });
      button.addEventListener("click", () => sortBy(place, state.column === place ? !state.ascending : Boolean(column.text)));
      head.append(button);
      line.append(head);
    });
    document.querySelector("#query-table thead").replaceChildren(line);
  }

  const width = (text) => (text.length <= 12 ? "short" : text.length <= 40 ? "middling" : "long");

  function shownRow(row) {
    const line = made("tr");
    const head = made("th", "", { scope: "row", class: width(row.id) });
    head.append(opener(row));
    line.append(head);
    columns.slice(1).forEach((column) => {
      const cell = made("td", column.of(row), { class: column.text ? "text" : "number" });
      if (column.text && row.tags.length) cell.append(" ", made("small", row.tags.join(" \u00b7 ")));
      line.append(cell);
    });
    return line;
  }

  function showTable() {
    showHead();
    const pages = Math.max(1, Math.ceil(state.rows.length / PAGE));
    const shown = state.rows.slice(state.page * PAGE, (state.page + 1) * PAGE);
    document.querySelector("#query-table tbody").replaceChildren(...shown.map(shownRow));
    byId("page").textContent = `Page ${(state.page + 1).toLocaleString("en")} of ${pages.toLocaleString("en")}`;
    byId("previous").disabled = state.page === 0;
    byId("next").disabled = state.page >= pages - 1;
    byId("pages").hidden = pages === 1;
  }

  function sortBy(column, ascending) {
    Object.assign(state, { column, ascending });
    byId("order").value = `${column}`;
    choose();
  }

  // ---- queries: map ----

  function filledMap() {
    const figure = structuredClone(data.charts.map);
    const trace = figure.data[0];
    trace.z = queries.scales.map((_, place) => state.rows.map((row) => number(row.values[place])));
    if (queries.fusion) trace.z.push(state.rows.map((row) => number(row.fused)));
    trace.xgap = state.rows.length <= 150 ? 1 : 0;
    figure.layout.xaxis.range = [-0.5, Math.max(1, state.rows.length) - 0.5];
    return figure;
  }

  const rankText = (rank) => (rank === null ? "not retrieved" : `rank ${rank.toLocaleString("en")}`);

  function describe(row) {
    const ranks = queries.scales.map((name, place) => `${name}: ${rankText(row.ranks[place])}`);
    if (queries.fusion) ranks.push(`${queries.fusion}: ${rankText(row.fusedRank)}`);
    return `${row.id} \u00b7 ${row.text} \u00b7 gap ${row.gap} \u00b7 ${ranks.join(", ")}`;
  }

  function watchMap() {
    const map = document.querySelector('[data-chart="map"]');
    map.on("plotly_hover", (event) => { byId("readout").textContent = describe(state.rows[event.points[0].x]); });
    map.on("plotly_click", (event) => openQuery(state.rows[event.points[0].x]));
  }

  // ---- queries: one of them ----

  function rankTable(row) {
    const table = made("table");
    const head = made("tr");
    ["", queries.endpoint, "first relevant document"].forEach((text) => head.append(made("th", text, { scope: "col" })));
    const lines = queries.scales.map((name, place) => [name, row.values[place], rankText(row.ranks[place])]);
    if (queries.fusion) lines.push([queries.fusion, row.fused, rankText(row.fusedRank)]);
    table.append(head, ...lines.map(([name, value, rank]) => {
      const line = made("tr");
      line.append(made("th", name, { scope: "row" }), made("td", value), made("td", rank));
      return line;
    }));
    return table;
  }

  function shownChunk(chunk) {
    const block = made("div", "", { class: "chunk" });
    const head = made("p");
    head.append(`${chunk.rank}. `, made("b", chunk.doc), " ");
    if (chunk.relevant) head.append(made("span", "relevant", { class: "relevant" }), " ");
    const facts = [chunk.range, `score ${chunk.score}`, chunk.fused === null ? "not fused" : `fused rank ${chunk.fused}`];
    head.append(made("small", facts.filter(Boolean).join(" \u00b7 ")));
    const text = made("p", "", { class: "excerpt" });
    text.append(...chunk.pieces.map((piece, place) => (place % 2 ? made("mark", piece) : piece)));
    block.append(head, text);
    return block;
  }

  function shownScale(name, chunks) {
    const block = made("details");
    block.open = true;
    block.append(made("summary", `${name}: first ${chunks.length} chunks`), ...chunks.map(shownChunk));
    return block;
  }

  function openQuery(row) {
    if (!row) return;
    const hits = Object.hasOwn(queries.hits, row.id) ? queries.hits[row.id] : null;
    const facts = [...row.tags, `${row.relevant} relevant document${row.relevant === 1 ? "" : "s"}`, `gap ${row.gap}`];
    const body = [made("p", row.text), made("p", facts.join(" \u00b7 "), { class: "note" }), rankTable(row)];
    if (hits) body.push(...hits.map((chunks, place) => shownScale(queries.scales[place], chunks)));
    else body.push(made("p", "The chunks of this query are not in this file, which holds those with the widest gaps. Ask for it by its id with chunkgap explain.", { class: "note" }));
    byId("detail-title").textContent = row.id;
    byId("detail-body").replaceChildren(...body);
    byId("detail").showModal();
    byId("detail").scrollTop = 0;
  }

  // ---- start ----

  function showLeftOut() {
    const left = [[queries.total - queries.rows.length, "queries with narrower gaps"], [queries.tags_left_out, "values of tags"]];
    const told = left.filter(([count]) => count > 0).map(([count, what]) => `${count.toLocaleString("en")} ${what}`);
    if (told.length) byId("left-out").textContent = `${told.join(" and ")} are left out of this page to keep it small; per_query.csv has all.`;
  }

  function fillOrder() {
    const names = [[`${gapColumn}`, "gap, widest first"], ["file", "order of the file"]];
    columns.slice(2, gapColumn).forEach((column, place) => names.push([`${place + 2}`, column.name]));
    names.push(["0", "id"], ["1", "text"]);
    byId("order").append(...names.map(([value, text]) => made("option", text, { value })));
  }

  function linkLosses() {
    const rows = new Map(queries.rows.map((row) => [row.id, row]));
    document.querySelectorAll("#losses tbody th").forEach((head) => {
      const row = rows.get(head.textContent);
      if (row) head.replaceChildren(opener(row));
    });
  }

  function debounced(action) {
    let timer = 0;
    return () => { clearTimeout(timer); timer = setTimeout(action, 120); };
  }

  function listen() {
    byId("theme").addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      remembered(root.dataset.theme);
      showTheme();
    });
    darkSystem.addEventListener("change", showTheme);
    byId("tools").addEventListener("submit", (event) => event.preventDefault());
    byId("search").addEventListener("input", debounced(() => { state.words = byId("search").value; choose(); }));
    byId("order").addEventListener("change", () => {
      const column = byId("order").value === "file" ? -1 : Number(byId("order").value);
      sortBy(column, column >= 0 && Boolean(columns[column].text));
      if (column < 0) byId("order").value = "file";
    });
    byId("previous").addEventListener("click", () => { state.page -= 1; showTable(); });
    byId("next").addEventListener("click", () => { state.page += 1; showTable(); });
    byId("panel")?.addEventListener("change", () => {
      document.querySelectorAll(".panel").forEach((panel, place) => { panel.hidden = place !== Number(byId("panel").value); });
      drawAll();
    });
    byId("detail").addEventListener("click", (event) => { if (event.target === byId("detail")) byId("detail").close(); });
    addEventListener("beforeprint", () => printTheme(true));
    addEventListener("afterprint", () => printTheme(false));
  }

  function printTheme(on) {
    if (on === printing) return;
    printing = on;
    if (on) { root.dataset.before = root.dataset.theme ?? ""; root.dataset.theme = "light"; }
    else if (root.dataset.before) root.dataset.theme = root.dataset.before;
    else delete root.dataset.theme;
    drawAll();
  }

  const known = remembered();
  if (known === "light" || known === "dark") root.dataset.theme = known;
  byId("theme").hidden = false;
  showLeftOut();
  fillOrder();
  linkLosses();
  listen();
  choose();
  showTheme();
  watchMap();
  root.dataset.ready = "true";
})();
