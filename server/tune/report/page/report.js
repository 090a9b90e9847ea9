// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fills the tables of the page and shows its plots, which the program has drawn (report_page.cc). Texts of the log
// become text nodes, never markup; in the drawings they are escaped.
'use strict';
(() => {
const data = JSON.parse(document.getElementById('data').textContent);
const byId = id => document.getElementById(id);

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
/** Of any number of values: Math.max(...values) takes as many as fit on the stack. */
const most = (values, least) => values.reduce((a, b) => Math.max(a, b), least);

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
// Columns: {name, of: row => value, show: (value, row) => text, text: left-aligned, tip: row => tooltip}. A heading sorts,
// first downwards.
function fillTable(table, columns, rows, onRow) {
  const body = element('tbody');
  const write = () => body.replaceChildren(...rows.map(row => {
    const line = element('tr');
    for (const column of columns) {
      const value = column.of(row);
      const shown = value === undefined || value === null ? '-' : column.show ? column.show(value, row) : String(value);
      const cell = element('td', shown, column.text);
      if (column.tip) cell.title = column.tip(row);
      line.append(cell);
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

/** Shows a drawing, or a sentence that says what would fill its place. */
function show(id, svg, empty) {
  byId(id).innerHTML = svg ?? '';
  if (!svg && empty) byId(id).append(element('p', empty, 'empty'));
}
const drawn = svg => svg !== undefined && /<(circle|rect|path) /.test(svg);
const showConvergence = group => {
  const svg = group.plots[byId('convergence-by').value];
  show('convergence', drawn(svg) ? svg : undefined, 'No trial has a valid time yet. A search fills this: tune matmul SIZE.');
};
const showLandscape = group => show('landscape', group.plots[byId('landscape-of').value],
    'The schedules have fewer than two parameters that a landscape could show. More trials fill this: tune matmul SIZE --trials N.');
const about = record => [timed(record) ? `${significant(record.gflops)} GFLOP/s, ${timeText(record.ns)}` : record.outcome,
                         ...(record.ranked_ns ? [`ranked by ${significant(rankedGflops(chosen(), record))} GFLOP/s, ${timeText(record.ranked_ns)}`] : []),
                         scheduleText(record), `record ${record.id}`].join('\n');
// A point says what its record is when it is pointed at.
document.addEventListener('pointerover', event => {
  const id = Number(event.target.dataset?.record);
  const record = id && !event.target.firstChild && chosen().records.find(one => one.id === id);
  if (!record) return;
  const title = document.createElementNS('http://www.w3.org/2000/svg', 'title');
  title.textContent = about(record);
  event.target.append(title);
});

function showRoofline(group) {
  const ceilings = group.ceilings;
  show('roofline', ceilings ? group.plots.roofline : undefined,
       'No ceilings are known for this device, and without them a roofline says nothing. Records of a GPU fill this.');
  byId('roofline-note').textContent = !ceilings ? '' :
      `${ceilings.peak ? `Peak ${grouped(ceilings.peak)} GFLOP/s by the clock that the device reports. ` : 'The peak is not known. '}` +
      `Bandwidths are those of a typical board of ${group.arch}. ` +
      `If each operand were read once, there would be ${significant(group.flops / group.bytes)} operations per byte.`;
}

function showSamples(record) {
  show('samples', record?.histogram, 'No record here has samples. Every schedule that is timed fills this: tune matmul SIZE.');
  const modes = record?.modes ?? [];
  byId('samples-note').textContent = !record ? '' :
      `${scheduleText(record)}: ${grouped(record.samples)} samples, median ${timeText(record.ns)} (${timeText(record.low)} to ${timeText(record.high)}). ` +
      (modes.length === 0 ? 'Too few samples to tell modes.'
       : `${modes.length === 1 ? 'One mode' : `${modes.length} modes`}: ` +
         modes.map(mode => `${timeText(mode.ns)} (${Math.round(100 * mode.share)} %)`).join(', ') + '.');
}

function fillFailures(group) {
  const failed = group.records.filter(record => !timed(record) && record.outcome !== 'skipped');
  byId('failures').hidden = failed.length === 0;
  const all = Object.entries(group.outcomes).reduce((sum, [name, count]) => name === 'ok' || name === 'skipped' ? sum : sum + count, 0);
  byId('failures-note').textContent = all === 0 ? 'Nothing failed.' :
      `${grouped(all)} of ${grouped(group.total)} records${failed.length < all ? `, of which ${grouped(failed.length)} are shown` : ''}.`;
  fillTable(byId('failures'), [
    {name: 'id', of: record => record.id}, {name: 'outcome', of: record => record.outcome, text: 'text'},
    {name: 'message', of: record => record.message, text: 'text long'}, {name: 'differs in', of: differencesIn(group, failed), text: 'text long', tip: scheduleText}], failed);
}

// The schedules in the order of the log's ranking, each with the record that speaks for it.
const bestOf = group => group.records.filter(record => record.rank !== undefined).sort((a, b) => a.rank - b.rank);
const rankedGflops = (group, record) => group.flops / record.ranked_ns;

/**
 * Returns a function from one of the records to the text of the parameters in which the records differ: all of them for
 * the record `full` and where that is not given, and for the others what is unlike it.
 */
function differencesIn(group, records, full) {
  const names = group.parameters.filter(name => new Set(records.map(record => record.params[name])).size > 1);
  const families = new Set(records.map(record => record.family)).size > 1;
  const isShown = (record, name) => name in record.params && (!full || record === full || record.params[name] !== full.params[name]);
  return record => [...(families ? [record.family] : []),
      ...names.filter(name => isShown(record, name)).map(name => `${name}=${record.params[name]}`)].join(' ');
}

function fillBest(group, best) {
  const rows = best.slice(0, 200);
  const known = value => value < 0 ? undefined : value;
  const differs = differencesIn(group, rows, rows[0]);
  const columns = [
    {name: 'rank', of: record => record.rank + 1, keep: true},
    {name: 'GFLOP/s', of: record => rankedGflops(group, record), show: significant, keep: true},
    {name: 'time', of: record => record.ranked_ns, show: timeText, keep: true},
    {name: '+/- %', of: record => record.samples > 1 ? record.spread : undefined, show: value => `${value.toFixed(1)}${value > data.marked_spread ? ' ~' : ''}`},
    {name: 'vs reference %', of: record => record.ratio && 100 * (record.ratio - 1),
     show: (value, record) => `${value > 0 ? '+' : ''}${value.toFixed(1)}${record.tied ? ' =' : ''}`},
    {name: '% of baseline', of: record => record.of_baseline, show: value => value.toFixed(1)},
    {name: 'predicted', of: record => record.predicted, show: timeText},
    {name: 'threads', of: record => record.threads}, {name: 'shared [KiB]', of: record => record.shared / 1024, show: significant},
    {name: 'registers', of: record => known(record.registers)}, {name: 'spills [B]', of: record => known(record.spills)},
    {name: 'verified', of: record => record.verified ? 'yes' : 'no'},
    {name: 'record', of: record => record.id, keep: true},
    {name: 'differs in', of: differs, text: 'text long', tip: scheduleText}];
  // A column that says the same in each row is told once, below the heading, or not at all if it is empty.
  const values = column => [...new Set(rows.map(column.of))];
  const alike = columns.filter(column => !column.keep && rows.length > 0 && values(column).length === 1);
  const told = alike.filter(column => ![undefined, null, ''].includes(values(column)[0]))
      .map(column => `${column.name} ${column.show ? column.show(values(column)[0], rows[0]) : values(column)[0]}`);
  byId('best-note').textContent = rows.length === 0 ? 'No schedule has a valid time yet. A search fills this table: tune matmul SIZE.' :
      `${best.length > rows.length ? `The fastest ${rows.length} of ${grouped(best.length)} schedules. ` : ''}` +
      `${told.length ? `Alike in all rows: ${told.join(', ')}. ` : ''}Click a heading to sort, a row to see its samples.`;
  fillTable(byId('best'), rows.length ? columns.filter(column => !alike.includes(column)) : [], rows, record => {
    if (!record.histogram) return;
    byId('samples-of').value = String(record.id);
    showSamples(record);
  });
}

function fillSummary(group, best) {
  const shown = group.records.length < group.total ? `; ${grouped(group.records.length)} of them are shown` : '';
  const entries = [['problem', group.problem], ['device', group.device], ['operands', group.regime || '-'],
    ['best', best.length ? `${significant(rankedGflops(group, best[0]))} GFLOP/s, ${timeText(best[0].ranked_ns)}: ${scheduleText(best[0])}` : 'nothing ran'],
    ['baseline', group.baseline.gflops ? `${group.baseline.library}: ${significant(group.baseline.gflops)} GFLOP/s` : `none (${group.baseline.reason ?? 'the records have none'})`],
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
  show('comparison', found?.plot);
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
  fillSelect(byId('landscape-of'), Object.keys(group.plots).filter(name => name.startsWith('landscape:'))
      .map(name => [name, name.split(':')[1].replace(',', ' across, ') + ' up']));
  const sampled = best.filter(record => record.histogram);
  fillSelect(byId('samples-of'), sampled.map((record, i) => [record.id, `${i + 1}: ${significant(rankedGflops(group, record))} GFLOP/s, record ${record.id}`]));
  fillSummary(group, best);
  fillBest(group, best);
  fillFailures(group);
  byId('convergence-note').textContent = group.baseline.gflops
      ? `The straight line is ${group.baseline.library}.` : `Baseline: none (${group.baseline.reason ?? 'the records have none'}).`;
  showConvergence(group);
  showLandscape(group);
  showRoofline(group);
  showSamples(sampled.find(record => String(record.id) === byId('samples-of').value));
  show('phases', group.phase_seconds > 0 ? group.plots.phases : undefined,
       'No phases are recorded. Records that mmtune itself measures have them.');
  byId('phases-note').textContent = group.phase_seconds > 0
      ? `${significant(group.phase_seconds)} s of ${grouped(group.records.length)} records; phases of several candidates may run at once.` : '';
  showComparison(group);
}

function fillRankings() {
  byId('rankings-section').hidden = data.groups.length < 2;
  const rows = data.groups.map((group, index) => ({group, index, best: bestOf(group)[0]}));
  fillTable(byId('rankings'), [
    {name: 'problem', of: row => row.group.problem, text: 'text'}, {name: 'device', of: row => row.group.device, text: 'text'},
    {name: 'operands', of: row => row.group.regime, text: 'text'}, {name: 'records', of: row => row.group.total, show: grouped},
    {name: 'GFLOP/s', of: row => row.best && rankedGflops(row.group, row.best), show: significant}, {name: 'time', of: row => row.best?.ranked_ns, show: timeText},
    {name: '% of baseline', of: row => row.best?.of_baseline, show: value => value.toFixed(1)}], rows, row => {
    byId('group').value = String(row.index);
    showGroup();
  });
}

byId('made').textContent = `Made ${data.made} of ${data.log}.${data.left_out ? ` ${data.left_out}.` : ''}`;
fillSelect(byId('group'), data.groups.map((group, i) =>
    [i, `${group.problem} on ${group.device}${group.regime === 'cold' ? ', cold operands' : ''}`]));
byId('group').addEventListener('change', showGroup);
byId('convergence-by').addEventListener('change', () => showConvergence(chosen()));
byId('landscape-of').addEventListener('change', () => showLandscape(chosen()));
byId('samples-of').addEventListener('change', () =>
    showSamples(chosen().records.find(record => String(record.id) === byId('samples-of').value)));
const sizes = data.groups.map(group => group.total);
byId('group').value = String(sizes.indexOf(most(sizes, 0)));
fillRankings();
showGroup();
})();
