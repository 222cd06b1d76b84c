// Opens reports in chromium and checks what a user sees: node report_page.mjs run.html study.html truth.json
// Environment: CHROMIUM, PLAYWRIGHT (the module's file). SHOTS=FOLDER: keeps pictures of the page.
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const { chromium } = await import(pathToFileURL(process.env.PLAYWRIGHT));
const [runFile, studyFile, truthFile] = process.argv.slice(2);
const ARGS = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const SOFTWARE_GL = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const TEST_TIME = 60000; // ms: the longest wait

let passed = 0;
let failed = 0;

function check(good, text) {
  if (good) passed++;
  else failed++;
  if (!good) console.log(`FAIL ${text}`);
}

function near(value, wanted, tolerance, text) {
  check(Math.abs(value - wanted) <= tolerance, `${text}: ${value}, not ${wanted}`);
}

// The page's data, decoded without its script.

function readData(file) {
  const html = readFileSync(file, "utf8");
  return JSON.parse(html.match(/<script type="application\/json" id="stagger-data">([\s\S]*?)<\/script>/)[1]);
}

function numbers(array) {
  const bytes = Buffer.from(array.data, "base64");
  const reads = { f32: [4, "readFloatLE"], i16: [2, "readInt16LE"], i32: [4, "readInt32LE"], u8: [1, "readUInt8"] };
  const [size, read] = reads[array.type];
  return Array.from({ length: bytes.length / size }, (_, i) => bytes[read](i * size) * array.scale);
}

// Browsers and pages.

async function open(browser, file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(TEST_TIME);
  page.problems = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.problems.push(message.text()));
  page.on("pageerror", (error) => page.problems.push(error.stack));
  page.on(
    "request",
    (request) => /^(file|data|blob):/.test(request.url()) || page.problems.push(`request to ${request.url()}`),
  );
  await page.goto(pathToFileURL(path.resolve(file)).href);
  return page;
}

async function close(page, name) {
  // A software renderer's performance warnings do not concern the page.
  const problems = page.problems.filter(
    (text) => !/GPU stall|GL Driver Message|Automatic fallback to software/.test(text),
  );
  check(problems.length === 0, `${name}: ${problems.join("\n")}`);
  await page.context().close();
}

async function keepPicture(page, name) {
  if (process.env.SHOTS) await page.screenshot({ path: path.join(process.env.SHOTS, `${name}.png`), fullPage: true });
}

const ask = (page, expression) => page.evaluate(`window.staggerReport.${expression}`);

// Two frames, so that the change is on screen.
const settle = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

// The number of colours in a picture, and a checksum of it.
async function look(page, locator) {
  const png = (await locator.screenshot()).toString("base64");
  return page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
    return {
      colors: new Set(pixels).size,
      sum: pixels.reduce((sum, pixel, i) => (sum + pixel * (1 + (i % 97))) % 1e12, 0),
    };
  }, png);
}

// A trace's page.

async function testReplay(page, data, truth) {
  const trace = data.traces[0];
  const [character] = trace.characters;
  const time = numbers(trace.time);
  const canvas = page.locator("#replay canvas");
  const hasReplay = await ask(page, "hasReplay");
  check(hasReplay, "there is a replay");
  if (!hasReplay) return;

  // It plays, also by the keyboard.
  await ask(page, "play()");
  await page.waitForFunction(() => window.staggerReport.time > 0.2);
  check(await ask(page, "playing"), "it plays");
  await page.keyboard.press("Space");
  const stopped = await ask(page, "time");
  await page.waitForTimeout(150);
  check((await ask(page, "time")) === stopped && !(await ask(page, "playing")), "Space pauses");

  // Every part of every pose is drawn at its place in the data.
  const names = character.parts.map(({ name }) => name);
  for (const [pose, { position }] of Object.entries(character.poses)) {
    const places = numbers(position);
    for (const frame of [0, 90, time.length - 1]) {
      await ask(page, `seek(${time[frame]})`);
      const drawn = await page.evaluate(
        ([who, parts, which]) => parts.map((part) => window.staggerReport.partPosition(who, part, which)),
        [character.name, names, pose],
      );
      for (const [row, part] of names.entries()) {
        const wanted = places.slice(3 * (frame * names.length + row)).slice(0, 3);
        near(
          Math.hypot(...wanted.map((value, i) => value - drawn[row][i])),
          0,
          1e-3,
          `${pose} ${part} in frame ${frame} is off by`,
        );
      }
    }
  }

  // The same against the trace itself, and half-way between two frames.
  for (const [i, moment] of (truth?.time ?? []).entries()) {
    await ask(page, `seek(${moment})`);
    for (const [pose, roots] of [
      ["output", truth.root],
      ["target", truth.target],
    ]) {
      const drawn = await ask(page, `partPosition("runner", "${character.parts[0].name}", "${pose}")`);
      near(
        Math.hypot(...roots[i].map((value, k) => value - drawn[k])),
        0,
        1e-3,
        `root of ${pose} at ${moment} s is off by`,
      );
    }
  }
  const root = numbers(character.poses.output.position);
  const at = (frame) => root.slice(3 * frame * character.parts.length).slice(0, 3);
  await ask(page, `seek(${(time[100] + time[101]) / 2})`);
  const middle = await ask(page, `partPosition("${character.name}", "${character.parts[0].name}")`);
  at(100).forEach((value, k) => near(middle[k], (value + at(101)[k]) / 2, 1e-3, "half-way between two frames"));

  // There is a picture, and it changes with the time.
  await canvas.scrollIntoViewIfNeeded();
  await ask(page, "seek(1)");
  await settle(page);
  const first = await look(page, canvas);
  check(first.colors > 200, `the canvas has ${first.colors} colours`);
  await ask(page, "seek(1.2)");
  await settle(page);
  check((await look(page, canvas)).sum !== first.sum, "another time is another picture");

  // Frame by frame, by events, by the time bar.
  await ask(page, `seek(${time[50]})`);
  await page.keyboard.press("ArrowRight");
  near(await ask(page, "time"), time[51], 1e-6, "ArrowRight");
  await page.keyboard.press("Shift+ArrowLeft");
  near(await ask(page, "time"), time[41], 1e-6, "Shift+ArrowLeft");
  await page.keyboard.press("]");
  near(await ask(page, "time"), trace.events[0].time, 1e-6, "] goes to the event");
  await ask(page, "seek(0)");
  await page.locator("#replay .event-mark").first().click();
  near(await ask(page, "time"), trace.events[0].time, 1e-6, "the event's mark");
  await settle(page);
  const caption = await page.locator("#replay .caption").textContent();
  check(caption.includes(trace.events[0].part), `the hit is told: '${caption}'`);
  await keepPicture(page, "run");
  const bar = await page.locator("#replay .scrub").boundingBox();
  await page.mouse.click(bar.x + bar.width / 2, bar.y + bar.height / 2);
  near(await ask(page, "time"), time[time.length - 1] / 2, 0.02, "the middle of the time bar");
}

async function testPlots(page, data, truth) {
  const trace = data.traces[0];
  const [character] = trace.characters;
  const time = numbers(trace.time);
  const end = time[time.length - 1];
  check(!(await page.locator("#plots .static").isVisible()), "the pictures give way to the plots");
  const shown = await page.locator("#plots .plot").count();
  check(shown > 5, `there are ${shown} plots`);

  // A mouse over a plot scrubs, and the legend shows the values there.
  const figure = page.locator('#plots .plot[data-path="assist/force"]');
  await figure.scrollIntoViewIfNeeded();
  const over = await figure.locator(".u-over").boundingBox();
  await page.mouse.move(over.x + 0.5 * over.width, over.y + 20);
  await page.mouse.move(over.x + 0.7 * over.width, over.y + 30);
  near(await ask(page, "time"), 0.7 * end, 0.01, "hovering at 70 %");
  const moment = await ask(page, "time");
  const frame = time.reduce(
    (best, value, i) => (Math.abs(value - moment) < Math.abs(time[best] - moment) ? i : best),
    0,
  );
  const { series } = character.plots.find(({ path: name }) => name === "assist/force");
  const buttons = figure.locator(".legend button");
  for (const [i, { name, data: values }] of series.entries()) {
    const text = await buttons.nth(i).textContent();
    const value = Number(text.slice(name.length).replace("−", "-"));
    const wanted = numbers(values)[frame];
    check(text.startsWith(name), `the legend's '${text}' is ${name}`);
    near(value, wanted, 0.002 * Math.abs(wanted) + 1e-3, `${name} at the cursor`);
  }

  // The replay moves the cursors.
  await page.mouse.move(over.x + 0.7 * over.width, over.y - 30);
  await ask(page, `seek(${0.25 * end})`);
  await settle(page);
  const line = await figure.locator(".u-cursor-x").boundingBox();
  near(line ? (line.x - over.x) / over.width : NaN, 0.25, 0.01, "the cursor's line");
  for (const [i, when] of (truth?.time ?? []).entries()) {
    await ask(page, `seek(${when})`);
    const { values } = (await ask(page, "cursor()")).find(({ path: name }) => name === "assist/force");
    ["x", "y", "z"].forEach((axis, k) => {
      const [, value] = Object.entries(values).find(([name]) => name === axis || name.endsWith(`(${axis})`));
      near(value, truth.force[i][k], 1e-3 * Math.abs(truth.force[i][k]) + 1e-3, `assist force ${axis} at ${when} s`);
    });
  }

  // Dragging zooms all plots and the replay; a double click shows all.
  await page.mouse.move(over.x + 0.4 * over.width, over.y + 40);
  await page.mouse.down();
  await page.mouse.move(over.x + 0.6 * over.width, over.y + 45, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction(() => window.staggerReport.range !== null);
  const range = await ask(page, "range");
  near(range[0], 0.4 * end, 0.02, "zoomed from");
  near(range[1], 0.6 * end, 0.02, "zoomed to");
  check(await page.locator("#plots .plot-toolbar .range button").isVisible(), "'show all' is offered");
  await page.mouse.dblclick(over.x + 0.5 * over.width, over.y + 40);
  await page.waitForFunction(() => window.staggerReport.range === null);

  // The legend hides lines.
  const item = buttons.first();
  await item.click();
  check((await item.getAttribute("aria-pressed")) === "false", "a line is hidden");
  await item.click();
  check((await item.getAttribute("aria-pressed")) === "true", "and shown again");
}

// The table of metrics agrees with the data.
async function testMetrics(page, data) {
  const rows = await page
    .locator("#metrics table.metrics tbody tr")
    .evaluateAll((list) => list.map((row) => [...row.cells].map((cell) => cell.textContent)));
  const { metrics } = data.traces[0].characters[0];
  check(metrics.length > 20, `there are ${metrics.length} metrics`);
  for (const { name, text, unit } of metrics) {
    const row = rows.find(([first]) => first === name);
    check(row?.[1] === text && row?.[2] === unit, `metric ${name}: '${row}', not '${text} ${unit}'`);
  }
  const verdicts = await page.locator("main").textContent();
  for (const { text } of data.traces[0].expect) check(verdicts.includes(text), `expectation ${text}`);
}

// The section on gait: its boxes show and hide the poses in plots and tables.
async function testGait(page) {
  const gait = page.locator("#gait");
  check((await gait.locator("svg.curves").count()) % 5 === 0, "a plot for hip, knee, ankle, arm and elbow");
  const visible = (pose) => gait.locator(`svg.curves path.of-${pose}[d*="L"]`).first().isVisible();
  const column = (pose) => gait.locator(`table.gait td.of-${pose}`).first().isVisible();
  check((await visible("output")) && (await visible("measured")), "output and measured are shown");
  check(!(await visible("target")) && !(await column("target")), "the target is not");
  await gait.locator(".show-target").check();
  await gait.locator(".show-measured").uncheck();
  check((await visible("target")) && (await column("target")), "until it is asked for");
  check(!(await visible("measured")) && !(await column("measured")), "the measured pose can be hidden");
  await gait.locator(".show-measured").check();
}

async function testHitTable(page, data) {
  await ask(page, "seek(0)");
  await page.locator("table.hits .time-link").first().click();
  near(await ask(page, "time"), data.traces[0].events[0].time, 1e-3, "the time in the table of hits");
}

async function testRun(browser, truth) {
  const data = readData(runFile);
  const page = await open(browser, runFile);
  await page.waitForFunction(() => window.staggerReport);
  await testReplay(page, data, truth);
  await testPlots(page, data, truth);
  await testMetrics(page, data);
  await testGait(page);
  await testHitTable(page, data);
  await page.emulateMedia({ media: "print" });
  check(await page.locator("#plots .static").isVisible(), "on paper there are the pictures");
  check(!(await page.locator("#replay").isVisible()), "on paper there is no replay");
  await close(page, "a run's page");
}

async function testNarrow(browser) {
  const page = await open(browser, runFile, { viewport: { width: 420, height: 900 }, colorScheme: "dark" });
  await page.waitForFunction(() => window.staggerReport);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  check(wide <= 420, `a narrow page is ${wide} px wide`);
  await keepPicture(page, "run_narrow_dark");
  await close(page, "a narrow page");
}

async function testWithoutScript(browser) {
  const data = readData(runFile);
  const page = await open(browser, runFile, { javaScriptEnabled: false });
  check(await page.locator("#plots .static svg").first().isVisible(), "without script there are pictures of the plots");
  check(!(await page.locator("#replay").isVisible()), "without script there is no replay");
  check(await page.locator("#metrics table").first().isVisible(), "without script there are the metrics");
  await testGait(page);
  check((await page.title()).includes(data.title), "the page has a title");
  await keepPicture(page, "run_without_script");
  await close(page, "a page without script");
}

async function testWithoutWebGL() {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: [...ARGS, "--disable-gpu", "--disable-3d-apis"],
  });
  const page = await open(browser, runFile);
  await page.waitForFunction(() => window.staggerReport);
  check(!(await ask(page, "hasReplay")), "without WebGL there is no replay");
  check((await page.locator("#replay .no-picture").textContent()).includes("no WebGL"), "and the page says so");
  await ask(page, "seek(1)");
  near((await ask(page, "cursor()"))[0].time, 1, 0.02, "plots work without WebGL");
  page.problems = page.problems.filter((text) => !text.includes("WebGL"));
  await close(page, "a page without WebGL");
  await browser.close();
}

// A study's page.

// The values of a chart's marks by their height, read off its axis.
const readMarks = (figure) =>
  figure.evaluate((node) => {
    const center = (element) => {
      const box = element.getBoundingClientRect();
      return [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    };
    const ticks = [...node.querySelectorAll('[aria-label="y-axis tick label"] text')].map((text) => [
      center(text)[1],
      parseFloat(text.textContent),
    ]);
    const [[y0, v0], [y1, v1]] = [ticks[0], ticks[ticks.length - 1]];
    return [...node.querySelectorAll('[aria-label="dot"] circle')].map(
      (circle) => v0 + ((center(circle)[1] - y0) * (v1 - v0)) / (y1 - y0),
    );
  });

// The results over some axes by their names: {shape, trials, count, value, low, high} of a measure.
function results(study, key, ...names) {
  const axes = names.map((name) => study.axes.findIndex((axis) => axis.name === name));
  const grid = study.over.find((candidate) => candidate.axes.join() === axes.join());
  const measure = study.measures.findIndex(({ column, label }) => {
    const { name } = study.columns[column];
    return (label ? `${name}: ${label}` : name) === key;
  });
  return { shape: grid.shape, trials: grid.trials, ...grid.measures[measure] };
}

const sorted = (list) => [...list].sort((a, b) => a - b).join(" ");

async function testCharts(page, study) {
  for (const [index, { name, values }] of study.axes.entries()) {
    const fell = results(study, "man.fell", name);
    const marks = await readMarks(page.locator("#study-plots .chart.axis").nth(index));
    check(marks.length === values.length, `${name} has ${marks.length} marks`);
    fell.value.forEach((share, i) => near(marks[i] / 100, share, 0.01, `share of falls at ${name} ${values[i]}`));
    const points = await ask(page, `points("${name}")`);
    fell.low.forEach((low, i) => near(points[i].low, low, 1e-9, "interval"));
  }

  // Over both axes: a cell of the heat map for each, with the share as its text, and the same around the character.
  const cells = results(study, "man.fell", "direction", "impulse").value;
  const heat = page.locator("#study-plots .chart.heat");
  check(
    (await heat.locator('[aria-label="cell"] rect[aria-label]').count()) === cells.length,
    "the heat map has all cells",
  );
  const shares = await heat.locator('[aria-label="text"] text').allTextContents();
  check(
    sorted(shares.map(Number)) === sorted(cells.map((share) => Math.round(100 * share))),
    `the heat map says ${shares}`,
  );
  const around = await page.locator("#study-plots .chart.around .cell title").allTextContents();
  check(around.length === cells.length, `${around.length} cells around the character`);
  check(
    sorted(around.map((text) => Math.round(Number(text.match(/share ([\d.]+) %/)[1])))) ===
      sorted(cells.map((share) => Math.round(100 * share))),
    `around the character stands ${around}`,
  );

  // Another measure; with its axes swapped it has the same cells.
  await page.locator("#study-plots select").first().selectOption("man.peak_pose_error");
  const medians = results(study, "man.peak_pose_error", "impulse").value;
  const marks = await readMarks(page.locator("#study-plots .chart.axis").nth(1));
  medians.forEach((median, i) => near(marks[i], median, 0.02 * Math.max(...medians), "median of the pose error"));
  const { shape, value } = results(study, "man.peak_pose_error", "direction", "impulse");
  for (const { places, value: shown } of await ask(page, `points("impulse", "direction")`))
    check(shown === value[places[1] * shape[1] + places[0]], `impulse ${places[0]}, direction ${places[1]}: ${shown}`);
}

// Roses: a cell for each direction and ring, which says its trials, and lists them when it is clicked.
async function testDirections(page, study) {
  const { sectors, tables, outward } = study.directions;
  const rings = study.axes[outward].values;
  const roses = page.locator("#directions .rose");
  check((await roses.count()) === 2, `${await roses.count()} roses`);
  const told = await roses.first().locator(".cell title").allTextContents();
  check(told.length === rings.length * sectors.length, `a rose has ${told.length} cells`);
  for (const [i, text] of told.entries()) {
    const [ring, sector] = [Math.floor(i / sectors.length), i % sectors.length];
    const trials = `${tables[0].successes[i]} of ${tables[0].count[i]}`;
    const wanted = `direction ${sectors[sector]} deg, impulse ${rings[ring]} N s: ${trials}, 95 % interval`;
    check(text.startsWith(wanted), `a rose says '${text}', not '${wanted}'`);
  }

  // 150 N s to the left: its patch is left of the middle, in the outer half.
  const place = rings.indexOf(150) * sectors.length + sectors.indexOf(90);
  const whole = await roses.first().boundingBox();
  const left = await roses.first().locator(".cell").nth(place).boundingBox();
  near((left.x - whole.x) / whole.width, 48 / 440, 0.02, "the outer cell to the left begins at");
  near((left.y + left.height / 2 - whole.y) / whole.height, 0.5, 0.02, "and is at the height");
  const strategies = await roses.nth(1).locator(".cell title").nth(place).textContent();
  for (const name of ["ankle", "hip", "fall"]) {
    const count = tables[0].strategies[name][place];
    const told = strategies.includes(`, ${name} ${count} of ${tables[0].told[place]}`);
    check(told === count > 0, `strategies ${strategies}: ${count} ${name}`);
  }
  await roses.first().locator(".cell .border").nth(place).click({ position: { x: 3, y: left.height / 2 } });
  const filter = await page.locator('#trials input[type="search"]').inputValue();
  check(filter === "direction = 90 and impulse = 150", `a click on a rose filters by '${filter}'`);
  await page.locator('#trials input[type="search"]').fill("");
}

// Cards and tables say what the data say.
async function testTables(page, study) {
  const percent = (share) => `${Math.round(1000 * share) / 10} %`;
  const cards = await page.locator("#figures .card").allTextContents();
  const fell = results(study, "man.fell");
  check(cards[0].includes(`of ${study.trials}: ${study.cells} cells`), `the first card says ${cards[0]}`);
  check(cards.length === 1 + study.main.length, `${cards.length} cards`);
  check(cards.some((text) => text.startsWith(`fell${percent(fell.value[0])}`)), `the cards say ${cards}`);
  const tables = page.locator("#summary table");
  check((await tables.count()) === 1 + study.axes.length, `${await tables.count()} tables`);
  const rows = (table) =>
    table.locator("tbody tr").evaluateAll((list) => list.map((row) => [...row.cells].map((cell) => cell.textContent)));
  const whole = await rows(tables.first());
  for (const name of ["man.fell", "man.peak_pose_error"]) {
    const row = whole.find(([first]) => first === name);
    check(Number(row?.[2]) === results(study, name).count[0], `n of ${name}: ${row}`);
    if (name !== "man.fell") near(Number(row[4]), results(study, name).mean[0], 0.005, `mean of ${name}`);
  }
  const over = await rows(tables.nth(2));
  const shares = results(study, "man.fell", "impulse");
  over.forEach((row, i) => check(row[2].startsWith(percent(shares.value[i])), `falls over the impulse: ${row}`));
  check(over.every((row, i) => Number(row[1]) === shares.trials[i]), "trials over the impulse");
}

async function testTrials(page, study) {
  const values = numbers(study.rows["man.peak_pose_error"]);
  const trials = numbers(study.rows.trial);
  const order = [...trials.keys()].sort((a, b) => values[a] - values[b]).map((row) => trials[row]);
  const head = page.locator("#trials .trial-table th", { hasText: "man.peak_pose_error" });
  const column = await head.evaluate((cell) => cell.cellIndex);
  await head.locator("button").click();
  check((await head.getAttribute("aria-sort")) === "ascending", "sorted ascending");
  const firstRow = async () =>
    (await page.locator("#trials .trial-table tbody tr").first().locator("td").allTextContents())[column];
  near(Number(await firstRow()), Math.min(...values), 0.01, "the smallest comes first");
  check(JSON.stringify(await ask(page, "rows()")) === JSON.stringify(order), "all trials are in order");
  await head.locator("button").click();
  near(Number(await firstRow()), Math.max(...values), 0.01, "then the largest");

  // Filters, by what is typed and by a click on a chart.
  await page.locator('#trials input[type="search"]').fill("direction = 90 and impulse > 20");
  const directions = numbers(study.rows.direction);
  const impulses = numbers(study.rows.impulse);
  const wanted = trials.filter((_, row) => directions[row] === 90 && impulses[row] > 20);
  check(
    JSON.stringify((await ask(page, "rows()")).sort((a, b) => a - b)) === JSON.stringify(wanted),
    "filtered trials",
  );
  check((await page.locator("#trials .trial-table tbody tr").count()) === wanted.length, "filtered rows");
  await page.locator('#trials input[type="search"]').fill("nonsense > 1");
  check(
    (await page.locator("#trials .message").textContent()).includes("no column 'nonsense'"),
    "what is wrong with a filter is told",
  );
  const circle = await page.locator('#study-plots .chart.axis [aria-label="dot"] circle').first();
  await circle.scrollIntoViewIfNeeded();
  const box = await circle.boundingBox();
  await page.mouse.move(box.x + box.width / 2 + 1, box.y + box.height / 2);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  const filter = await page.locator('#trials input[type="search"]').inputValue();
  check(filter === "direction = 0", `a click on the mark of direction 0 filters by '${filter}'`);
  await page.locator('#trials input[type="search"]').fill("");
}

async function testTraces(page, data) {
  check(data.traces.length === 2, `the page has ${data.traces.length} traces`);
  await page.locator("#trials .trial-table th button").first().click();
  await page.locator("#trials button.open").nth(1).click();
  check((await ask(page, "trace")) === 1, "a trial's trace is opened");
  const [character] = data.traces[1].characters;
  const wanted = numbers(character.poses.output.position);
  await ask(page, "seek(0)");
  const drawn = await ask(page, `partPosition("${character.name}", "${character.parts[0].name}")`);
  drawn.forEach((value, i) => near(value, wanted[i], 1e-3, "its first frame"));
  const link = page.locator("#kept details").first().locator("td .time-link").first();
  const time = Number(await link.textContent());
  await link.click();
  check((await ask(page, "trace")) === 0, "a time in the other trial's table opens its trace");
  near(await ask(page, "time"), time, 1e-3, "and shows that time");
}

async function testStudy(browser) {
  const data = readData(studyFile);
  const page = await open(browser, studyFile);
  await page.waitForFunction(() => window.staggerReport);
  await testTables(page, data.study);
  await testDirections(page, data.study);
  await testCharts(page, data.study);
  await testTrials(page, data.study);
  await testTraces(page, data);
  await keepPicture(page, "study");
  await page.emulateMedia({ media: "print" });
  for (const id of ["figures", "directions", "study-plots", "summary"])
    check(await page.locator(`#${id} :is(svg, table, .card)`).first().isVisible(), `on paper there is #${id}`);
  for (const part of ["#replay", "#plots", ".study-controls", ".trial-controls"])
    check(!(await page.locator(part).isVisible()), `on paper there is no ${part}`);
  await close(page, "a study's page");
  const narrow = await open(browser, studyFile, { viewport: { width: 420, height: 900 }, colorScheme: "dark" });
  await narrow.waitForFunction(() => window.staggerReport);
  const wide = await narrow.evaluate(() => document.documentElement.scrollWidth);
  check(wide <= 420, `a study's narrow page is ${wide} px wide`);
  await keepPicture(narrow, "study_narrow_dark");
  await close(narrow, "a study's narrow page");
}

const truth = JSON.parse(readFileSync(truthFile, "utf8"));
if (!truth) console.log("without h5py: the page is held against its own data only");
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: [...ARGS, ...SOFTWARE_GL] });
try {
  await testRun(browser, truth);
  await testNarrow(browser);
  await testWithoutScript(browser);
  if (studyFile) await testStudy(browser);
} finally {
  await browser.close();
}
await testWithoutWebGL();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
