// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws the data of the page (report_data.cc has its form). Texts of the log become text nodes, never markup.
'use strict';
(() => {
const data = JSON.parse(document.getElementById('data').textContent);
const byId = id => document.getElementById(id);
const variable = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// ---- values as texts

const grouped = value => value.toLocaleString('en-US', {maximumFractionDigits: 0});
const significant = value => value === 0 ? '0' : value >= 1000 ? grouped(value) : Number(value.toPrecision(3)).toString();
function timeText(ns) {
  const [unit, size] = ns >= 1e9 ? ['s', 1e9] : ns >= 1e6 ? ['ms', 1e6] : ns >= 1e3 ? ['us', 1e3] : ['ns', 1];
  return `${(ns / size).toPrecision(4)} ${unit}`;
}
const paramsText = params => Object.entries(params).map(([name, value]) => `${name}=${value}`).join(' ');
const scheduleText = record => `${record.family} ${paramsText(record.params)}`;
const timed = record => record.ns !== undefined;
const libraryOf = ({library}) => library;
/** Of any number of values: Math.max(...values) takes as many as fit on the stack. */
const most = (values, least) => values.reduce((a, b) => Math.max(a, b), least);

// ---- colours: those of Okabe and Ito, and of viridis, which people with any colour vision can tell apart

const kLines = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#8c6bb1', '#7f7f7f'];
const kDashes = [[], [8, 4], [2, 3], [10, 3, 2, 3]];
const kViridis = [[68, 1, 84], [72, 40, 120], [62, 74, 137], [49, 104, 142], [38, 130, 142], [31, 158, 137],
                  [53, 183, 121], [109, 205, 89], [180, 222, 44], [253, 231, 37]];
function viridis(share) {
  const at = Math.min(Math.max(share, 0), 1) * (kViridis.length - 1);
  const low = Math.min(Math.floor(at), kViridis.length - 2);
  const mixed = kViridis[low].map((value, i) => Math.round(value + (at - low) * (kViridis[low + 1][i] - value)));
  return `rgb(${mixed.join(',')})`;
}
document.querySelector('.ramp').style.background =
    `linear-gradient(to right, ${kViridis.map(colour => `rgb(${colour.join(',')})`).join(',')})`;

// ---- elements

function element(tag, text, className) {
  const node = document.createElement(tag);
  if (text !== undefined) node.textContent = text;
  if (className) node.className = className;
  return node;
}
function fillSelect(select, options) {
  const before = select.value;
  select.replaceChildren(...options.map(([value, text]) => {
    const option = element('option', text);
    option.value = value;
    return option;
  }));
  if (options.some(([value]) => String(value) === before)) select.value = before;
}
// Columns: {name, of: row => value, show: value => text, text: left-aligned}. A heading sorts, first downwards.
function fillTable(table, columns, rows, onRow) {
  const body = element('tbody');
  const write = () => body.replaceChildren(...rows.map(row => {
    const line = element('tr');
    for (const column of columns) {
      const value = column.of(row);
      const shown = value === undefined || value === null ? '-' : column.show ? column.show(value) : String(value);
      line.append(element('td', shown, column.text));
    }
    if (onRow) line.addEventListener('click', () => {
      for (const other of body.children) other.classList.toggle('chosen', other === line);
      onRow(row);
    });
    return line;
  }));
  const headings = element('tr');
  for (const column of columns) {
    const heading = element('th', undefined, column.text);
    const button = element('button', column.name);
    button.type = 'button';
    button.addEventListener('click', () => {
      const down = heading.getAttribute('aria-sort') !== 'descending';
      for (const other of headings.children) other.removeAttribute('aria-sort');
      heading.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const order = (a, b) => a === b ? 0 : a === undefined || a === null ? -1 : b === undefined || b === null ? 1 : a < b ? -1 : 1;
      rows.sort((a, b) => (down ? -1 : 1) * order(column.of(a), column.of(b)));
      write();
    });
    heading.scope = 'col';
    heading.append(button);
    headings.append(heading);
  }
  const head = element('thead');
  head.append(headings);
  write();
  table.replaceChildren(head, body);
}

// ---- plots

const charts = new Map();
function draw(id, config) {
  charts.get(id)?.destroy();
  Chart.defaults.color = variable('--text');
  Chart.defaults.borderColor = variable('--line');
  config.options = {maintainAspectRatio: false, animation: false, ...config.options};
  charts.set(id, new Chart(byId(id), config));
}
const axis = (title, more) => ({title: {display: true, text: title}, ...more});
const tooltip = lines => ({callbacks: {title: () => '', label: item => lines(item.raw)}});
const about = record => [timed(record) ? `${significant(record.gflops)} GFLOPS, ${timeText(record.ns)}` : record.outcome,
                         ...wrapped(scheduleText(record), 56), `record ${record.id}`];
function wrapped(text, width) {
  const lines = [''];
  for (const word of text.split(' ')) {
    if (lines.at(-1).length + word.length > width) lines.push('');
    lines[lines.length - 1] += `${lines.at(-1) ? ' ' : ''}${word}`;
  }
  return lines;
}

function drawConvergence(group) {
  const by = byId('convergence-by').value;
  const lines = Object.entries(group.jobs).map(([uuid, job]) => {
    const points = group.records.filter(record => record.job === uuid && record.trial && record.best)
        .map(record => ({x: by === 'trial' ? record.trial : Math.max(0, record.at - job.start) / 1000, y: record.best, record}));
    return {label: job.label, points};
  }).filter(line => line.points.length > 0);
  const datasets = lines.map((line, i) => ({
    label: line.label, data: line.points, stepped: true, showLine: true, borderWidth: 2, pointRadius: 2,
    borderColor: kLines[i % kLines.length], backgroundColor: kLines[i % kLines.length],
    borderDash: kDashes[Math.floor(i / kLines.length) % kDashes.length]}));
  if (group.baseline.gflops) {
    const last = most(lines.flatMap(line => line.points.map(point => point.x)), 1);
    datasets.push({label: libraryOf(group.baseline), showLine: true, pointRadius: 0, borderWidth: 2, borderDash: [6, 6],
                   borderColor: variable('--text'), backgroundColor: variable('--text'),
                   data: [{x: 0, y: group.baseline.gflops}, {x: last, y: group.baseline.gflops}]});
  }
  byId('convergence-note').textContent = group.baseline.gflops
      ? `The straight line is ${libraryOf(group.baseline)}.` : `No baseline: ${group.baseline.reason ?? 'the records have none'}.`;
  draw('convergence', {type: 'scatter', data: {datasets}, options: {
    scales: {x: axis(by === 'trial' ? 'trial' : 'seconds since the job began', {min: 0}), y: axis('GFLOPS', {beginAtZero: true})},
    plugins: {legend: {display: datasets.length <= 12},
              tooltip: tooltip(point => point.record ? about(point.record) : `${significant(point.y)} GFLOPS`)}}});
}

function drawLandscape(group) {
  const [across, up] = [byId('landscape-x').value, byId('landscape-y').value];
  const values = name => [...new Set(group.records.map(record => record.params[name]).filter(value => value !== undefined))]
      .sort((a, b) => a - b);
  const axes = {x: values(across), y: values(up)};
  const best = most(group.records.filter(timed).map(record => record.gflops), 0);
  // Around its place, the same each time.
  const spread = (i, salt) => (((i + 1) * salt) % 1 - 0.5) * 0.6;
  const points = {ran: [], skipped: [], failed: []};
  group.records.forEach((record, i) => {
    if (record.params[across] === undefined || record.params[up] === undefined) return;
    points[timed(record) ? 'ran' : record.outcome === 'skipped' ? 'skipped' : 'failed'].push({
      x: axes.x.indexOf(record.params[across]) + spread(i, 0.6180339887), y: axes.y.indexOf(record.params[up]) + spread(i, 0.7548776662),
      record});
  });
  points.ran.sort((a, b) => a.record.gflops - b.record.gflops);
  const scale = (name, list) => axis(name, {min: -0.5, max: Math.max(list.length, 1) - 0.5, afterBuildTicks: s => {
    s.ticks = list.map((_, value) => ({value}));
  }, ticks: {callback: at => list[at]}});
  draw('landscape', {type: 'scatter', data: {datasets: [
    {label: 'ran', data: points.ran, pointRadius: points.ran.length > 1000 ? 3 : 5, pointBorderColor: variable('--quiet'),
     pointBackgroundColor: points.ran.map(point => viridis(point.record.gflops / best))},
    {label: 'skipped', data: points.skipped, pointRadius: 3, pointStyle: 'rectRot', pointBorderColor: variable('--quiet')},
    {label: 'failed', data: points.failed, pointRadius: 5, pointStyle: 'crossRot', pointBorderWidth: 2, pointBorderColor: '#d55e00'}]},
    options: {scales: {x: scale(across, axes.x), y: scale(up, axes.y)},
              plugins: {legend: {display: points.failed.length + points.skipped.length > 0, labels: {usePointStyle: true}}, tooltip: tooltip(point => about(point.record))}}});
}

function drawRoofline(group) {
  const points = group.records.filter(record => timed(record) && record.moved > 0)
      .map(record => ({x: group.flops / record.moved, y: record.gflops, record}));
  const ideal = group.flops / group.bytes;
  const datasets = [{label: 'schedules', data: points, pointRadius: 4, backgroundColor: kLines[0]}];
  const from = points.reduce((least, point) => Math.min(least, point.x), ideal) / 2;
  const to = most(points.map(point => point.x), ideal) * 2;
  const line = (label, colour, dash, of) => datasets.push({label, showLine: true, pointRadius: 0, borderWidth: 2,
    borderColor: colour, backgroundColor: colour, borderDash: dash,
    data: Array.from({length: 33}, (_, i) => from * (to / from) ** (i / 32)).map(x => ({x, y: of(x)}))});
  const ceilings = group.ceilings;
  if (ceilings) {
    const peak = ceilings.peak ?? Infinity;
    line(`DRAM, ${grouped(ceilings.dram)} GB/s`, kLines[1], [], x => Math.min(peak, ceilings.dram * x));
    line(`L2, ${grouped(ceilings.l2)} GB/s`, kLines[2], [8, 4], x => Math.min(peak, ceilings.l2 * x));
  }
  byId('roofline-note').textContent = (ceilings
      ? `${ceilings.peak ? `Peak ${grouped(ceilings.peak)} GFLOPS by the clock that the device reports. ` : 'The peak is not known. '}` +
        `Bandwidths are those of a typical board of ${group.arch}. `
      : 'No ceilings are known for this device. ') +
      `Bytes are those that blocks read and write if no cache helps, which L2 serves; each operand once would be ${significant(ideal)} operations per byte.`;
  draw('roofline', {type: 'scatter', data: {datasets}, options: {
    scales: {x: axis('operations per byte', {type: 'logarithmic', min: from, max: to}), y: axis('GFLOPS', {type: 'logarithmic'})},
    plugins: {tooltip: tooltip(point => point.record ? about(point.record) : `${grouped(point.y)} GFLOPS at ${significant(point.x)}`)}}});
}

function drawSamples(record) {
  const histogram = record?.histogram;
  const counts = histogram?.counts ?? [];
  const start = i => histogram.low + i * histogram.width;
  draw('samples', {type: 'bar', data: {
    labels: counts.map((_, i) => timeText(start(i)) + (histogram.open && i === counts.length - 1 ? ' and more' : '')),
    datasets: [{data: counts, backgroundColor: kLines[0], barPercentage: 1, categoryPercentage: 0.95}]},
    options: {scales: {x: axis('time, from', {ticks: {maxRotation: 45, maxTicksLimit: 8}}), y: axis('samples', {beginAtZero: true, ticks: {precision: 0}})},
              plugins: {legend: {display: false}}}});
  const modes = histogram?.modes ?? [];
  byId('samples-note').textContent = !record ? 'No record has samples.' :
      `${grouped(record.samples)} samples, median ${timeText(record.ns)} (${timeText(record.low)} to ${timeText(record.high)}). ` +
      (modes.length === 0 ? 'Too few samples to tell modes.'
       : `${modes.length === 1 ? 'One mode' : `${modes.length} modes`}: ` +
         modes.map(mode => `${timeText(mode.ns)} (${Math.round(100 * mode.share)} %)`).join(', ') + '.');
}

function drawPhases(group) {
  const sums = data.phases.map((_, i) => group.records.reduce((sum, record) => sum + record.phases[i], 0) / 1000);
  const all = sums.reduce((a, b) => a + b, 0);
  draw('phases', {type: 'bar', data: {labels: data.phases, datasets: [{data: sums, backgroundColor: kLines[0]}]},
    options: {indexAxis: 'y', scales: {x: axis('seconds, all records shown together', {beginAtZero: true}), y: {ticks: {autoSkip: false}}},
              plugins: {legend: {display: false}}}});
  byId('phases-note').textContent = all > 0
      ? `${significant(all)} s of ${grouped(group.records.length)} records; phases of several candidates may run at once.` : 'No phases are recorded.';
}

function fillFailures(group) {
  const failed = group.records.filter(record => !timed(record) && record.outcome !== 'skipped');
  byId('failures').hidden = failed.length === 0;
  const all = Object.entries(group.outcomes).reduce((sum, [name, count]) => name === 'ok' || name === 'skipped' ? sum : sum + count, 0);
  byId('failures-note').textContent = all === 0 ? 'Nothing failed.' :
      `${grouped(all)} of ${grouped(group.total)} records${failed.length < all ? `, of which ${grouped(failed.length)} are shown` : ''}.`;
  fillTable(byId('failures'), [
    {name: 'id', of: record => record.id}, {name: 'outcome', of: record => record.outcome, text: 'text'},
    {name: 'message', of: record => record.message, text: 'text long'}, {name: 'schedule', of: scheduleText, text: 'text long'}], failed);
}

// The schedules in the order of the log's ranking, each with the record that speaks for it.
const bestOf = group => group.records.filter(record => record.rank !== undefined).sort((a, b) => a.rank - b.rank);
const rankedGflops = (group, record) => group.flops / record.ranked_ns;

function fillBest(group, best) {
  const known = value => value < 0 ? undefined : value;
  const columns = [
    {name: 'GFLOPS', of: record => rankedGflops(group, record), show: significant}, {name: 'time', of: record => record.ranked_ns, show: timeText},
    {name: '+/- %', of: record => record.samples > 1 ? 50 * (record.high - record.low) / record.ns : undefined, show: value => value.toFixed(1)},
    {name: '% of baseline', of: record => record.of_baseline, show: value => value.toFixed(1)},
    {name: 'predicted', of: record => record.predicted, show: timeText},
    {name: 'block tile', of: record => record.words?.[0]}, {name: 'threads', of: record => record.threads},
    {name: 'thread tile', of: record => record.words?.[1]}, {name: 'stages', of: record => record.words?.[2]},
    {name: 'split-k', of: record => record.words?.[3]}, {name: 'shared [B]', of: record => record.shared, show: grouped},
    {name: 'registers', of: record => known(record.registers)}, {name: 'spills [B]', of: record => known(record.spills)},
    {name: 'proven', of: record => record.proven ? 'yes' : 'no'}, {name: 'id', of: record => record.id},
    {name: 'schedule', of: scheduleText, text: 'text'}];
  const empty = new Set(['% of baseline', 'predicted', 'registers', 'spills [B]'].filter(
      name => best.every(record => columns.find(column => column.name === name).of(record) === undefined)));
  fillTable(byId('best'), columns.filter(column => !empty.has(column.name)), best.slice(0, 200), record => {
    if (!record.histogram) return;
    byId('samples-of').value = String(record.id);
    drawSamples(record);
  });
}

function fillSummary(group, best) {
  const shown = group.records.length < group.total ? `; ${grouped(group.records.length)} of them are shown` : '';
  const entries = [['problem', group.problem], ['device', group.device], ['operands', group.regime || '-'],
    ['best', best.length ? `${significant(rankedGflops(group, best[0]))} GFLOPS, ${timeText(best[0].ranked_ns)}: ${scheduleText(best[0])}` : 'nothing ran'],
    ['baseline', group.baseline.gflops ? `${libraryOf(group.baseline)}: ${significant(group.baseline.gflops)} GFLOPS` : `none (${group.baseline.reason ?? 'the records have none'})`],
    ['records', `${grouped(group.total)}: ${Object.entries(group.outcomes).map(([name, count]) => `${grouped(count)} ${name}`).join(', ')}${shown}`],
    ['toolchains', [...new Set(group.records.map(record => record.toolchain))].join('; ')]];
  byId('summary').replaceChildren(...entries.flatMap(([name, text]) => [element('dt', name), element('dd', text)]));
  byId('simt-note').textContent = group.simt ? data.simt_note : '';
}

function showComparison(group) {
  const found = data.comparison?.groups.find(other => other.problem === group.problem && other.device === group.device && other.regime === group.regime);
  byId('comparison-section').hidden = !data.comparison;
  if (!data.comparison) return;
  const note = byId('comparison-note');
  const changes = found?.changes ?? [];
  const count = name => changes.filter(change => change.change === name).length;
  note.textContent = !found ? `${data.comparison.log} has nothing of this problem and device.` :
      `With ${data.comparison.log} (${found.other_toolchain}; here ${found.toolchain}): of ${grouped(changes.length)} schedules in both, ` +
      `${count('broken')} no longer run, ${count('slower')} are slower, ${count('same')} the same, ${count('faster')} faster, ${count('mended')} run only here. ` +
      (found.best_ns && found.other_best_ns ? `Best time: ${timeText(found.best_ns)} here, ${timeText(found.other_best_ns)} there. ` : '') +
      (found.mean_ratio ? `Mean of our times over theirs: ${found.mean_ratio.toFixed(3)}.` : '');
  const colours = {slower: kLines[1], same: kLines[7], faster: kLines[2]};
  const shapes = {slower: 'triangle', same: 'circle', faster: 'rectRot'};
  draw('comparison', {type: 'scatter', data: {datasets: Object.keys(colours).map(name => ({
    label: name, backgroundColor: colours[name], pointStyle: shapes[name], pointRadius: 5,
    data: changes.filter(change => change.change === name && change.ns && change.other_ns)
        .map(change => ({x: change.other_ns / 1e6, y: change.ns / change.other_ns, change}))}))},
    options: {scales: {x: axis('time in the other log [ms]', {type: 'logarithmic'}), y: axis('time here / time there')},
              plugins: {legend: {labels: {usePointStyle: true}}, tooltip: tooltip(point => [`${point.y.toFixed(3)}: ${timeText(point.change.other_ns)} to ${timeText(point.change.ns)}`,
                                                   ...wrapped(point.change.schedule, 56)])}}});
  fillTable(byId('changes'), [
    {name: 'change', of: change => change.change, text: 'text'},
    {name: 'ratio', of: change => change.ns && change.other_ns ? change.ns / change.other_ns : undefined, show: value => value.toFixed(3)},
    {name: 'here', of: change => change.ns ?? change.outcome, show: value => typeof value === 'number' ? timeText(value) : value},
    {name: 'there', of: change => change.other_ns ?? change.other_outcome, show: value => typeof value === 'number' ? timeText(value) : value},
    {name: 'schedule', of: change => change.schedule, text: 'text long'}], changes.slice(0, 500));
}

// ---- the page

const chosen = () => data.groups[Number(byId('group').value)];

function showGroup() {
  const group = chosen();
  const best = bestOf(group);
  const names = [...new Set(group.records.flatMap(record => Object.keys(record.params)))];
  const counts = new Map(names.map(name => [name, new Set(group.records.map(record => record.params[name])).size]));
  const options = names.filter(name => counts.get(name) > 1).concat(names.filter(name => counts.get(name) <= 1)).map(name => [name, name]);
  fillSelect(byId('landscape-x'), options);
  fillSelect(byId('landscape-y'), options);
  if (byId('landscape-x').value === byId('landscape-y').value && options.length > 1) byId('landscape-y').value = options[1][0];
  const sampled = best.filter(record => record.histogram);
  fillSelect(byId('samples-of'), sampled.map((record, i) => [record.id, `${i + 1}: ${significant(rankedGflops(group, record))} GFLOPS, record ${record.id}`]));
  fillSummary(group, best);
  fillBest(group, best);
  fillFailures(group);
  drawConvergence(group);
  drawLandscape(group);
  drawRoofline(group);
  drawSamples(sampled.find(record => String(record.id) === byId('samples-of').value));
  drawPhases(group);
  showComparison(group);
}

function fillRankings() {
  byId('rankings-section').hidden = data.groups.length < 2;
  const rows = data.groups.map((group, index) => ({group, index, best: bestOf(group)[0]}));
  fillTable(byId('rankings'), [
    {name: 'problem', of: row => row.group.problem, text: 'text'}, {name: 'device', of: row => row.group.device, text: 'text'},
    {name: 'operands', of: row => row.group.regime, text: 'text'}, {name: 'records', of: row => row.group.total, show: grouped},
    {name: 'GFLOPS', of: row => row.best && rankedGflops(row.group, row.best), show: significant}, {name: 'time', of: row => row.best?.ranked_ns, show: timeText},
    {name: '% of baseline', of: row => row.best?.of_baseline, show: value => value.toFixed(1)}], rows, row => {
    byId('group').value = String(row.index);
    showGroup();
  });
}

byId('made').textContent = `Made ${data.made} of ${data.log}.${data.left_out ? ` ${data.left_out}.` : ''}`;
fillSelect(byId('group'), data.groups.map((group, i) =>
    [i, `${group.problem} on ${group.device}${group.regime === 'cold' ? ', cold operands' : ''}`]));
byId('group').addEventListener('change', showGroup);
byId('convergence-by').addEventListener('change', () => drawConvergence(chosen()));
for (const id of ['landscape-x', 'landscape-y']) byId(id).addEventListener('change', () => drawLandscape(chosen()));
byId('samples-of').addEventListener('change', () =>
    drawSamples(chosen().records.find(record => String(record.id) === byId('samples-of').value)));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', showGroup);
const sizes = data.groups.map(group => group.total);
byId('group').value = String(sizes.indexOf(most(sizes, 0)));
fillRankings();
showGroup();
})();
