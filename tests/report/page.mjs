// SPDX-License-Identifier: BSD-3-Clause
// Tries the pages small.html, big.html and bare.html of a directory in chromium; prints TAP.
// node page.mjs MODULES BROWSER DIRECTORY
import { createRequire } from "module";
import { pathToFileURL } from "url";
import { readFileSync, statSync, writeFileSync } from "fs";
import path from "path";

const [, , modules, browserPath, dir] = process.argv;
const only = process.env.PSC_PAGE_ONLY;        /* a part of the names of the tests that are run */
const require = createRequire(path.resolve(modules) + "/");
const puppeteer = require("puppeteer-core");
const axe = readFileSync(path.resolve(modules, "axe-core/axe.min.js"), "utf8");
const url = name => pathToFileURL(path.resolve(dir, name + ".html")).href;
const NARROW = 390, WIDE = 1280, MOST = 0.75;  /* measured: 0.3 to 0.5 */
const PATIENCE = 300000;                        /* ms: beside other programs all takes longer */

/* Each scheme and each width once; all four in make check-long. */
const looks = [["light", NARROW], ["dark", WIDE]];
if (process.env.PSC_LONG)
	looks.push(["light", WIDE], ["dark", NARROW]);
const OVER_TIME = ["timeline", "cartography", "gantt", "flows", "portals", "modules"];

const tests = [];
const test = (name, run) => (!only || name.includes(only)) && tests.push({ name, run });
const same = (is, want) => {
	if (JSON.stringify(is) !== JSON.stringify(want))
		throw new Error(JSON.stringify(is) + " instead of " + JSON.stringify(want));
};
const holds = (is, what) => {
	if (!is)
		throw new Error(what);
};

let browser;
/* A page; what it asks for or complains of is in `log`. */
async function open(name, { width = WIDE, scheme = "light", script = true } = {}) {
	const page = await browser.newPage();
	page.setDefaultTimeout(PATIENCE);
	page.log = [];
	page.on("request", r => r.url() === url(name) || page.log.push("request " + r.url()));
	page.on("console", m => page.log.push("console " + m.text()));
	page.on("pageerror", e => page.log.push("error " + e.message));
	page.on("dialog", d => { page.log.push("dialog"); d.dismiss(); });
	await page.setJavaScriptEnabled(script);
	await page.setViewport({ width, height: 800 });
	await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
	await page.goto(url(name));
	return page;
}
/* The big page, which takes long to open, once for tests that look at different parts of it. */
let big;
async function open_big() {
	big ??= await open("big");
	await big.bringToFront();       /* nothing is drawn behind */
	return big;
}
const unfold = page => page.evaluate(() => {
	document.querySelectorAll("details").forEach(d => { d.open = true; });
	document.querySelectorAll("tr.f").forEach(r => r.classList.add("open"));
});
const visible = (page, q) => page.$$eval(q, l => l.filter(e => e.checkVisibility()).length);
const overflow = page => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

test("asks for nothing and complains of nothing", async () => {
	const page = await open("small");
	await unfold(page);
	await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
	same(page.log, []);
});

for (const [scheme, width] of looks)
	test(`is as wide as the window: ${width} px, ${scheme}`, async () => {
		const page = await open("small", { width, scheme });
		same(await overflow(page), 0);
		await drawn(page, "threads");
		for (const id of OVER_TIME)
			await drawn(page, id);
		await unfold(page);
		same(await overflow(page), 0);
	});

for (const [scheme, width] of looks)
	test(`can be read and used by all: axe, ${width} px, ${scheme}`, async () => {
		const page = await open("small", { width, scheme });
		await drawn(page, "threads");
		for (const id of OVER_TIME)
			await drawn(page, id);
		await unfold(page);
		await page.evaluate(axe);
		const found = await page.evaluate(async () => (await window.axe.run(document,
			{ runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"] })).violations
			.map(v => v.id + ": " + v.nodes.slice(0, 2).map(n => n.html.slice(0, 120)).join(" | ")));
		same(found, []);
	});

test("follows the system's scheme, and the button", async () => {
	const paper = page => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
	const light = await open("small"), dark = await open("small", { scheme: "dark" });
	const [a, b] = [await paper(light), await paper(dark)];
	holds(a !== b, "light and dark are the same");
	await light.keyboard.press("d");
	same(await paper(light), b);
	await light.keyboard.press("d");
	same(await paper(light), a);
});

test("keeps hostile names as text", async () => {
	const page = await open("small");
	same(await page.evaluate(() => [window.hacked, document.querySelectorAll("script:not([type])").length, document.scripts.length,
		document.images.length]), [null, 1, 4, 0]
		.map(v => v ?? undefined));
	holds(await page.evaluate(() => document.body.textContent.includes("<img src=x onerror=window.hacked=1>")),
		"a name is not shown");
	same(page.log, []);
});

test("every link leads to an element of the page", async () => {
	const page = await open_big();
	same(await page.$$eval("a[href]", l => l.map(a => a.getAttribute("href")).filter(h => h[0] !== "#" ||
		!document.getElementById(h.slice(1))).slice(0, 3)), []);
	same(await page.evaluate(() => {
		const ids = Array.from(document.querySelectorAll("[id]"), e => e.id);
		return ids.length - new Set(ids).size;
	}), 0);
});

test("a link opens what its target is folded in", async () => {
	const page = await open_big();
	same(await visible(page, "#f4"), 0);
	await page.$eval(".card a[href^='#f']", a => a.click());
	await page.waitForFunction(() => document.querySelector(":target")?.checkVisibility(), { timeout: PATIENCE });
});

test("sorts by a column, both ways", async () => {
	const page = await open("small");
	const column = n => page.$$eval("#all tbody tr.f", (rows, n) => rows.map(r => Number(r.cells[n].dataset.v)), n);
	const press = n => page.$$eval("#all thead button", (l, n) => l[n].click(), n);
	const before = await column(1), down = [...before].sort((a, b) => b - a);
	await press(0);
	await press(1);
	same(await column(1), down);
	await press(1);
	same(await column(1), [...down].reverse());
	same(await page.$eval("#all thead th[aria-sort]", th => [th.cellIndex, th.ariaSort]), [1, "ascending"]);
	holds(before.length === 20 && before[0] !== before[19], "nothing to sort");
});

test("filters by words, and Escape shows all again", async () => {
	const page = await open("small");
	const rows = await visible(page, "#all tbody tr.f");
	await page.keyboard.press("/");
	await page.keyboard.type("LC3DMissRate TABLE".toLowerCase());
	await page.waitForFunction(() => document.querySelector("[role=status]").textContent !== "", { timeout: PATIENCE });
	const texts = await page.$$eval("#all tbody tr.f", l => l.filter(e => e.checkVisibility())
		.map(e => e.textContent.toLowerCase()));
	same(texts.every(t => t.includes("lc3dmissrate") && t.includes("table")), true);
	holds(texts.length < rows, "nothing is filtered");
	await page.keyboard.press("Escape");
	same(await visible(page, "#all tbody tr.f"), rows);
});

test("can be used by the keyboard alone", async () => {
	const page = await open("small");
	const focus = () => page.evaluate(() => document.activeElement.id || document.activeElement.className ||
		document.activeElement.tagName);
	await page.keyboard.press("Tab");
	same(await focus(), "skip");
	await page.keyboard.press("j");
	same(await focus(), "p1");
	await page.keyboard.press("j");
	same(await focus(), "p2");
	await page.keyboard.press("k");
	same(await focus(), "p1");
	await page.keyboard.press("?");
	same(await page.$eval("dialog", d => d.open), true);
	await page.keyboard.press("Escape");
	same(await page.$eval("dialog", d => d.open), false);
	await page.evaluate(() => document.querySelector("#f1").scrollIntoView());
	for (let i = 0; i < 60 && await focus() !== "f1"; i++)
		await page.keyboard.press("j");
	await page.keyboard.press("o");
	same(await visible(page, "#f1 .more"), 1);
	await page.keyboard.press("o");
	same(await visible(page, ".more"), 0);
});

test("a finding shows its path, with its script and without", async () => {
	for (const script of [true, false]) {
		const page = await open("small", { script });
		same(await visible(page, ".more"), 0);
		await page.click("#f2 .at > a");
		same(await page.$$eval(".more", l => l.filter(e => e.checkVisibility()).map(e => e.closest("tr").id)), ["f2"]);
		holds(await page.$eval("#f2 .steps", e => /1\. .*\n2\. .*rate/.test(e.innerText)), "no path");
		await page.click("#f2 .at > a");
		same(await visible(page, "#f2 .more"), script ? 0 : 1);
	}
});

test("draws the regions by time, estimate and misses", async () => {
	const page = await open("small");
	await drawn(page, "timeline");          /* nothing moves any more below it */
	const shown = () => page.$$eval(".icicle", l => l.filter(e => e.checkVisibility()).map(e => e.className));
	same(await shown(), ["icicle m0"]);
	await page.click("label[for=m1]");
	same(await shown(), ["icicle m1"]);
	const widths = await page.$$eval(".icicle.m1 a > :not(title)", l => l.map(s => parseFloat(s.getAttribute("width"))));
	same(widths[0], 100);
	holds(widths.length > 10 && widths.every(w => w > 0 && w <= 100), "a width is wrong");
});

test("says the verdict, and what the time goes to", async () => {
	const page = await open("small");
	holds((await page.$eval(".verdict", e => e.textContent)).startsWith("About 50 of 100 ms"), "no verdict");
	same(await page.$$eval(".bar span", l => l.map(e => e.className)), ["memory", "rest", "waits"]);
	same(await page.$eval("h1", e => e.textContent), "Memory behaviour of ./<b>loop");
	/* The verdict has the one time that costs are parts of; the others are folded. */
	holds(!/ ms/.test(await page.$eval("header", e => e.textContent)), "a time in the header");
	holds(/ms/.test(await page.$eval(".bar ~ details .how", e => e.textContent)), "no times in the fold");
	same(await visible(page, "#processes ~ .wide td.h3") > 0, true);
});

test("draws the bytes of a shared line", async () => {
	const page = await open("small");
	const classes = await page.$$eval("#p1 .line rect", l => l.map(r => r.getAttribute("class")));
	same(classes.length, 48);
	same(classes.map(c => ({ t: ".", ta: "a", tb: "b" })[c]).join(""), "aaaaaaaa........aaaaaaaa........bbbbbbbb........");
});

test("quotes source lines, marked, unless asked not to", async () => {
	const page = await open("small"), bare = await open("bare");
	holds(await page.$eval(".source", e => e.textContent.includes("table[i] += a[i]")), "no source");
	holds(await visible(page, ".source tr.hit") > 0, "no line is marked");
	same(await page.$eval(".source tr", tr => tr.cells[1].textContent), "3");
	same(await visible(bare, ".source"), 0);
	holds(!readFileSync(path.resolve(dir, "bare.html"), "utf8").includes("+= a[i]"), "source in the file");
});

test("has the share of the misses beside the lines that miss, with its script and without", async () => {
	for (const script of [true, false]) {
		const page = await open("small", { script });
		same(await page.$$eval("#p2 .source tr.hit", l => l.map(r => Array.from(r.cells, c => c.textContent).slice(0, 2))),
			[["30.0%", "1"], ["62.0%", "5"]]);
		same(await page.$eval("#p2 .source tr:last-child", r => r.previousElementSibling.cells[0].title),
			"9.00 k first-level, 620 last-level misses");
		same(await page.$eval("#p2 .place", e => e.textContent), "loop.c:5 (in 4-6)");
		holds(await page.$eval("#p2", e => e.textContent.includes("share of the problem's last-level misses; other lines have 8.0%")),
			"no legend");
		same(await page.$eval("#p1 .place", e => e.textContent), "loop.c:4-6");
	}
});

test("works without its script", async () => {
	const page = await open("small", { script: false }), full = await open("small");
	const text = p => p.$eval("main", e => e.querySelectorAll(".card, tr.f, .structure, .icicle svg").length);
	same(await text(page), await text(full));
	same(await visible(page, ".tools"), 0);
	same(await visible(page, ".icicle"), 1);
	same(await overflow(page), 0);
});

test("is printed without its tools", async () => {
	const page = await open("small");
	await page.emulateMediaType("print");
	same(await visible(page, ".tools, nav"), 0);
	holds((await page.pdf()).length > 10000, "an empty print");
});

test("draws what each thread does, processes that are alike once", async () => {
	const page = await open("small", { script: false });
	const lines = await page.$$eval("#threads + .wide tbody tr", l => l.map(r => Array.from(r.cells, c => c.textContent.trim())));
	same(lines.map(l => l.slice(0, 2)), [["0-4, 6, 7", "0"], ["0-4, 6, 7", "1"], ["5", "0"], ["5", "1"]]);
	same(lines[1].slice(3), ["25 ms", "25 ms", "10 ms", "1.00 k", "10"]);
	const bars = await page.$$eval("#threads + .wide svg", l => l.map(s => Array.from(s.children,
		r => [r.getAttribute("class"), Math.round(parseFloat(r.getAttribute("width")))])));
	same(bars[1], [["tc", 42], ["tm", 42], ["tw", 17]]);
	same(bars[2], [["tc", 25], ["tm", 25]]);
	same(await page.$$eval("[data-view=threads] > details .threads [scope=rowgroup] a", l => l.length), 1);
});

/* A picture is drawn when it comes near. */
async function drawn(page, id) {
	await page.$eval("#" + id, e => e.scrollIntoView());
	await page.waitForSelector(`[data-view=${id}] > .view`, { timeout: PATIENCE });
	/* A canvas is painted in the frame after the one that it came in. */
	await page.waitForFunction(id => Array.from(document.querySelectorAll(`[data-view=${id}] > .view canvas`))
		.every(c => c.style.height || !c.clientWidth), { timeout: PATIENCE }, id);
}

test("has the report's data once, inert", async () => {
	const page = await open("small");
	same(await page.$$eval("script[type='application/json']", l => l.length), 1);
	same(await page.$eval("#report", e => [JSON.parse(e.textContent).threads.length, /</.test(e.textContent)]), [32, false]);
});

test("has a bar for each thread, in a region and an order that are chosen; the table stays", async () => {
	const page = await open("small");
	const names = () => page.$$eval(".thread .n", l => l.map(e => e.textContent));
	await drawn(page, "threads");
	same((await names()).slice(0, 3), ["0.0", "0.1", "1.0"]);
	same((await names()).length, 16);
	same(await page.$$eval(".thread:nth-child(2) .track span", l => l.map(e => [e.className,
		Math.round(parseFloat(e.style.width))])), [["tc", 42], ["tm", 42], ["tw", 17]]);
	await page.select("[data-view=threads] [aria-label=Order]", "4");
	same((await names())[0], "0.1");
	await page.select("[data-view=threads] [aria-label=Region]", "1");
	await page.focus(".thread");
	holds((await page.$eval("[data-view=threads] [role=status]", e => e.textContent)).endsWith("waiting 10 ms, L1 misses " +
		"1.00 k, misses of the last level 10"), "figures");
	same(await visible(page, "[data-view=threads] table"), 0);
	await page.click("[data-view=threads] > details > summary");
	same(await visible(page, "[data-view=threads] table") > 0, true);
	same(page.log, []);
});

/* Pixels of a view's canvas that are no shade of grey, from y0 to y1 in pixels of the page. */
const coloured = (page, id, y0, y1) => page.$eval(`[data-view=${id}] canvas`, (c, y0, y1) => {
	const k = c.height / c.clientHeight, copy = document.createElement("canvas");
	copy.width = c.width;
	copy.height = c.height;
	const g = copy.getContext("2d", { willReadFrequently: true });
	g.drawImage(c, 0, 0);
	const d = g.getImageData(0, y0 * k, c.width, (y1 - y0) * k).data;
	let n = 0;
	for (let i = 0; i < d.length; i += 4)
		n += d[i + 3] > 0 && Math.max(d[i], d[i + 1], d[i + 2]) - Math.min(d[i], d[i + 1], d[i + 2]) > 40;
	return n / (d.length / 4);
}, y0, y1);
/* Is more than this share coloured, as soon as the browser has painted? */
const fills = async (page, id, y0, y1, least) => {
	for (let tries = 0; tries < 300 && await coloured(page, id, y0, y1) <= least; tries++)
		await new Promise(done => setTimeout(done, 100));
	return await coloured(page, id, y0, y1) > least;
};
const press = async (page, ...keys) => {
	for (const key of keys)
		await page.keyboard.press(key);
};
const told = (page, id) => page.$eval(`[data-view=${id}] [role=status]`, e => e.textContent);

test("draws the timeline: by keys a column and a structure, with figures and links", async () => {
	const page = await open("small");
	await drawn(page, "timeline");
	await page.focus("[data-view=timeline] canvas");
	await press(page, "ArrowRight");
	/* Row 1 of 16 is written by thread 0, row 9 by thread 1, 1000 times each in column 1. */
	same((await told(page, "timeline")).split("; ").slice(1, 4), ["fill 100\u00a0%", "table + 64 KiB (a row of 64 KiB)",
		"0 reads, 1.00 k writes"]);
	for (let i = 0; i < 12; i++)
		await press(page, "ArrowRight");
	holds((await told(page, "timeline")).includes("loop.c:5: 480 misses"), await told(page, "timeline"));
	same(await page.$$eval("[data-view=timeline] [role=status] a", l => l.map(a => a.textContent)[0]), "table");
	await press(page, "ArrowDown");
	holds((await told(page, "timeline")).includes("<img src=x"), "a name is lost");
	same(page.log, []);
});

test("draws a timeline with colours, of one thread, by time, without addresses", async () => {
	const page = await open("small");
	await drawn(page, "timeline");
	holds(await fills(page, "timeline", 4, 24, 0.5), "no regions");
	holds(await fills(page, "timeline", 100, 180, 0.02), "no accesses");
	const button = text => page.$$eval("[data-view=timeline] button", (l, text) =>
		l.find(b => b.textContent === text).click(), text);
	for (const b of ["reads / writes", "thread 1", "by time", "all threads", "process 1"]) {
		await button(b);
		holds(await fills(page, "timeline", 100, 180, 0.02), "nothing is drawn: " + b);
		if (b.includes("thread"))
			same((await page.$eval("[data-view=timeline]", e => e.textContent)).includes("The picture is of thread 1"),
				b === "thread 1");
	}
	await page.focus("[data-view=timeline] canvas");
	const zoomed = () => visible(page, "[data-view=timeline] .over > button");
	await press(page, "ArrowRight", "+");
	same(await zoomed(), 1);
	await press(page, "0");
	same(await zoomed(), 0);
	same(page.log, []);
});

const words = (page, id) => page.$eval(`[data-view=${id}] .claim`, e => e.textContent);
const click = (page, id, text) => page.$$eval(`[data-view=${id}] button`, (l, text) =>
	l.find(b => b.textContent === text).click(), text);

test("draws whose addresses are whose, with the hue of the first toucher", async () => {
	const page = await open("small");
	await drawn(page, "cartography");
	holds(await fills(page, "cartography", 2, 80, 0.2), "no lanes");
	holds((await words(page, "cartography")).length > 10, "no claim");
	/* Thread 1 is in the second lane; the left half is thread 0's, blue, the right one its own, amber. */
	const hues = await page.$eval("[data-view=cartography] canvas", c => {
		const k = c.height / c.clientHeight, copy = document.createElement("canvas");
		copy.width = c.width;
		copy.height = c.height;
		const g = copy.getContext("2d", { willReadFrequently: true });
		g.drawImage(c, 0, 0);
		return [300, 700].map(x => Array.from(g.getImageData(x * k, 35 * k, 1, 1).data).slice(0, 3))
			.map(([r, , b]) => r > b ? "amber" : "blue");
	});
	same(hues, ["blue", "amber"]);
	same(page.log, []);
});

test("keeps a view whose process has nothing for it, and returns to one that has", async () => {
	const page = await open("small");
	await drawn(page, "cartography");
	const pictures = () => visible(page, "[data-view=cartography] canvas");
	same(await pictures(), 1);
	await click(page, "cartography", "process 1");
	await page.waitForFunction(() => document.querySelector("[data-view=cartography] .over").textContent
		.includes("process 1 has nothing to show here"));
	same(await pictures(), 0);
	await click(page, "cartography", "process 0");
	await page.waitForFunction(() => !document.querySelector("[data-view=cartography] .over").textContent
		.includes("nothing"));
	same(await pictures(), 1);
	same(page.log, []);
});

test("says of each structure how it is walked through", async () => {
	const page = await open("small");
	await drawn(page, "timeline");
	const said = await page.$$eval("[data-view=timeline] ul > li", l => l.map(e => e.textContent));
	holds(said.length === 2 && said[0].startsWith("table: written") && said[0].includes(" in fill"),
		JSON.stringify(said));
	same(page.log, []);
});

test("draws threads over time at a number of columns, and says what it loses", async () => {
	const page = await open("small");
	await drawn(page, "gantt");
	holds(await fills(page, "gantt", 24, 100, 0.3), "no lanes");
	const lost = () => page.$eval("[data-view=gantt] [role=status]", e => e.textContent);
	const many = await lost();
	holds(/^8 columns of .* the pale ones for /.test(many), many);
	await page.focus("[data-view=gantt] input");
	await press(page, "Home");
	/* table: 2 * (8 * 1000 + 24 * 600) of 64 000 accesses */
	holds(/^1 column of .* stand for 70\u00a0% of all accesses, the pale ones for 30\u00a0%/.test(await lost()), await lost());
	same(page.log, []);
});

test("has a row for each region above the lanes where names have no room, and tells them", async () => {
	const page = await open("small");
	await drawn(page, "gantt");
	const strips = await page.evaluate(async () => {
		const m = await psc.time.load()[0].get();
		const strip = width => psc.time.strip(m, c => c * width / m.columns, 0);
		return [strip(900).named, strip(20).named, strip(20).rows.map(r => r.label)];
	});
	same(strips, [true, false, ["fill", "use"]]);
	const box = await page.$eval("[data-view=gantt] canvas", e => {
		e.scrollIntoView({ block: "center" });          /* not under the page's tools */
		const b = e.getBoundingClientRect();
		return { x: b.x + b.width / 2, y: b.y + 8 };
	});
	await page.mouse.move(box.x, box.y);
	await page.waitForSelector(".tip.shown");
	same(await page.$eval(".tip", e => e.textContent), "use 100\u00a0%");
	same(page.log, []);
});

test("draws the flow of a structure and of a thread, with its intervals", async () => {
	const page = await open("small");
	await drawn(page, "flows");
	const rows = () => page.$$eval("[data-view=flows] > .view tbody tr", l => l.map(r => Array.from(r.cells, c => c.textContent)));
	const first = await rows();
	holds(first.length === 4 && first[0][2] === "0" && first[0][4] === "\u2013", JSON.stringify(first));
	await click(page, "flows", "thread 1");
	holds((await rows()).some(r => r[2] === "table"), "no table");
	holds((await words(page, "flows")).startsWith("thread 1"), await words(page, "flows"));
	same(page.log, []);
});

test("has portals of threads and of ranks that are sorted, and the nodes of memory", async () => {
	const page = await open("small");
	await drawn(page, "portals");
	const table = n => page.$$eval("[data-view=portals] .portal", (l, n) => Array.from(l[n].rows, r =>
		Array.from(r.cells, c => c.textContent)), n);
	same((await table(0))[0].slice(0, 4), ["variable", "rank 0", "rank 1", "all"]);
	same(await words(page, "portals"), "both ranks make equally many accesses");
	await click(page, "portals", "threads");
	await page.waitForFunction(() => document.querySelector(".portal th:nth-child(2)").textContent === "thread 0");
	same((await table(0)).slice(1).map(r => r.slice(0, 4)), [["table", "22.4 k", "22.4 k", "44.8 k"],
		["<img src=x onerror=window.hacked=1>", "9.60 k", "9.60 k", "19.2 k"], ["all", "32.0 k", "32.0 k", "64.0 k"]]);
	await page.$$eval("[data-view=portals] .portal th button", l => { l[0].click(); });
	same((await table(0))[1][0], "<img src=x onerror=window.hacked=1>");
	await drawn(page, "modules");
	holds(await fills(page, "modules", 54, 100, 0.05), "nothing comes from memory");
	same(page.log, []);
});

test("begins with an axis of time where accesses hide it, and says of what a legend has shares", async () => {
	const page = await open("small");
	await drawn(page, "timeline");
	const axis = () => page.$eval("[data-view=timeline] [aria-label=Axis] [aria-pressed=true]", e => e.textContent);
	const keys = () => page.$$eval("[data-view=timeline] .keys", l => l.at(-1).textContent);
	same(await axis(), "by accesses");
	holds((await keys()).endsWith("fill 25\u00a0%of the accesses"), await keys());
	await click(page, "timeline", "process 1");
	await page.waitForFunction(() => document.querySelector("[data-view=timeline] [aria-label=Axis] " +
		"[aria-pressed=true]").textContent === "by time");
	holds((await keys()).endsWith("fill 75\u00a0%of the time (estimate)"), await keys());
	same(page.log, []);
});

test("predicts lines from memory with more threads, without a script, too", async () => {
	const page = await open("small");
	const said = await page.$$eval("[data-view=prediction] li", l => l.map(e => e.textContent));
	holds(said.length === 2 && said.every(s => s.startsWith("at 4 threads ")), JSON.stringify(said));
	const heads = await page.$$eval("[data-view=prediction] th.n", l => l.map(e => e.textContent));
	same(heads.slice(0, 2), ["now, 2", "4 threads"]);
});

test("prints the pictures of memory over time", async () => {
	const page = await open("small");
	await drawn(page, "timeline");
	await page.emulateMediaType("print");
	same(await visible(page, "[data-view=timeline] canvas"), 1);
	same(await visible(page, "[data-view=timeline] button"), 0);
	same(await visible(page, "[data-view=threads] .view"), 0);
});

test("has the figures of the timeline without a script", async () => {
	const page = await open("small", { script: false });
	same(await page.$$eval("[data-view=timeline] table[data-process='0'] tbody tr", l => l.map(r =>
		Array.from(r.cells, c => c.textContent.trim()))), [
		["table", "1 MiB", "1 MiB", "28.8 k", "16.0 k", "25.0 k", "55.7%", "12.5 k"],
		["<img src=x onerror=window.hacked=1>", "64 KiB", "32 KiB", "0", "19.2 k", "2.40 k", "12.5%", "1.20 k"]]);
	same(await page.$$eval("[data-view=timeline] table", l => l.length), 2);
});

/* What a page of that many rows and bytes costs a browser in any case: a plain table. */
function plain_table(rows, bytes) {
	const cells = 8, text = "x ".repeat(Math.max(1, Math.floor(bytes / rows / cells / 2) - 4));
	const row = "<tr>" + ("<td>" + text).repeat(cells);

	writeFileSync(path.resolve(dir, "plain.html"), "<!DOCTYPE html>\n<html lang=en><meta charset=utf-8><title>plain" +
		"</title><table>" + row.repeat(rows) + "</table></html>");
}
async function opening_ms(name) {
	const page = await open(name);
	const ms = await page.evaluate(() => new Promise(done => requestAnimationFrame(() =>
		setTimeout(() => done(performance.now()), 0))));
	await page.close();
	return ms;
}

test("opens 5 000 findings and 2 000 regions", async () => {
	const page = await open_big();
	same(await page.$$eval("tr.f", l => l.length), 5000);
	same(await page.$$eval("#regions tbody tr", l => l.length), 2000);
});

/* A measurement: in make check-long. */
if (process.env.PSC_LONG)
	test("opens the big page in less time than a plain table of as many rows and bytes", async () => {
		plain_table(7000, statSync(path.resolve(dir, "big.html")).size);
		const best = { big: Infinity, plain: Infinity };
		/* The shortest of as many as other programs make necessary. */
		for (let i = 0; i < 2 || (i < 12 && best.big > MOST * best.plain); i++)
			for (const name of ["big", "plain"])
				best[name] = Math.min(best[name], await opening_ms(name));
		console.log(`# ${best.big.toFixed(0)} ms, a plain table ${best.plain.toFixed(0)} ms`);
		holds(best.big <= MOST * best.plain, `${(best.big / best.plain).toFixed(2)} times as long`);
	});

test("filters and sorts 5 000 findings without a request or an error", async () => {
	const page = await open_big();
	await page.evaluate(() => document.querySelector("#all").closest("details").open = true);
	await page.$$eval("#all thead button", l => l[5].click());
	await page.type("input[type=search]", "a4999");
	/* Each letter filters, and a slow page is behind. */
	await page.waitForFunction(() => document.querySelectorAll("tr.f:not(.out)").length === 1, { timeout: PATIENCE });
	same(page.log, []);
});

try {
	browser = await puppeteer.launch({ executablePath: browserPath, timeout: PATIENCE, protocolTimeout: 2 * PATIENCE,
		args: ["--disable-gpu", ...(process.getuid() === 0 ? ["--no-sandbox"] : [])] });
} catch (e) {
	console.log("1..0 # SKIP the browser does not start: " + e.message.split("\n")[0]);
	process.exit(0);
}
console.log("1.." + tests.length);
for (const [i, t] of tests.entries()) {
	try {
		await t.run();
		console.log(`ok ${i + 1} - ${t.name}`);
	} catch (e) {
		console.log("# " + String(e.message).replace(/\n/g, "\n# "));
		console.log(`not ok ${i + 1} - ${t.name}`);
	}
	for (const page of (await browser.pages()).slice(1))
		if (page !== big)
			await page.close();
}
await browser.close();
