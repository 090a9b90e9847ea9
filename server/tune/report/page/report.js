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

const show = (id, svg) => { byId(id).innerHTML = svg ?? ''; };
const showConvergence = group => show('convergence', group.plots[byId('convergence-by').value]);
const showLandscape = group => show('landscape', group.plots[byId('landscape-of').value]);
const about = record => [timed(record) ? `${significant(record.gflops)} GFLOPS, ${timeText(record.ns)}` : record.outcome,
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
  show('roofline', group.plots.roofline);
  const ceilings = group.ceilings;
  byId('roofline-note').textContent = (ceilings
      ? `${ceilings.peak ? `Peak ${grouped(ceilings.peak)} GFLOPS by the clock that the device reports. ` : 'The peak is not known. '}` +
        `Bandwidths are those of a typical board of ${group.arch}. `
      : 'No ceilings are known for this device. ') +
      `Bytes are those that blocks read and write if no cache helps, which L2 serves; each operand once would be ${significant(group.flops / group.bytes)} operations per byte.`;
}

function showSamples(record) {
  show('samples', record?.histogram);
  const modes = record?.modes ?? [];
  byId('samples-note').textContent = !record ? 'No record has samples.' :
      `${grouped(record.samples)} samples, median ${timeText(record.ns)} (${timeText(record.low)} to ${timeText(record.high)}). ` +
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
    {name: 'verified', of: record => record.verified ? 'yes' : 'no'}, {name: 'id', of: record => record.id},
    {name: 'schedule', of: scheduleText, text: 'text'}];
  const empty = new Set(['% of baseline', 'predicted', 'registers', 'spills [B]'].filter(
      name => best.every(record => columns.find(column => column.name === name).of(record) === undefined)));
  fillTable(byId('best'), columns.filter(column => !empty.has(column.name)), best.slice(0, 200), record => {
    if (!record.histogram) return;
    byId('samples-of').value = String(record.id);
    showSamples(record);
  });
}

function fillSummary(group, best) {
  const shown = group.records.length < group.total ? `; ${grouped(group.records.length)} of them are shown` : '';
  const entries = [['problem', group.problem], ['device', group.device], ['operands', group.regime || '-'],
    ['best', best.length ? `${significant(rankedGflops(group, best[0]))} GFLOPS, ${timeText(best[0].ranked_ns)}: ${scheduleText(best[0])}` : 'nothing ran'],
    ['baseline', group.baseline.gflops ? `${group.baseline.library}: ${significant(group.baseline.gflops)} GFLOPS` : `none (${group.baseline.reason ?? 'the records have none'})`],
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
  fillSelect(byId('samples-of'), sampled.map((record, i) => [record.id, `${i + 1}: ${significant(rankedGflops(group, record))} GFLOPS, record ${record.id}`]));
  fillSummary(group, best);
  fillBest(group, best);
  fillFailures(group);
  byId('convergence-note').textContent = group.baseline.gflops
      ? `The straight line is ${group.baseline.library}.` : `No baseline: ${group.baseline.reason ?? 'the records have none'}.`;
  showConvergence(group);
  showLandscape(group);
  showRoofline(group);
  showSamples(sampled.find(record => String(record.id) === byId('samples-of').value));
  show('phases', group.plots.phases);
  byId('phases-note').textContent = group.phase_seconds > 0
      ? `${significant(group.phase_seconds)} s of ${grouped(group.records.length)} records; phases of several candidates may run at once.` : 'No phases are recorded.';
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
byId('convergence-by').addEventListener('change', () => showConvergence(chosen()));
byId('landscape-of').addEventListener('change', () => showLandscape(chosen()));
byId('samples-of').addEventListener('change', () =>
    showSamples(chosen().records.find(record => String(record.id) === byId('samples-of').value)));
const sizes = data.groups.map(group => group.total);
byId('group').value = String(sizes.indexOf(most(sizes, 0)));
fillRankings();
showGroup();
})();
