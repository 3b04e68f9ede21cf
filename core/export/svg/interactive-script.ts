/**
 * The script of an interactive SVG: click to zoom, Reset zoom, search with Ctrl+F, details on hover. It reads the
 * frames' titles and positions and writes only text and attributes; no name becomes markup or code.
 */
export const INTERACTIVE_SCRIPT = `
'use strict';
var frames, details, searchButton, matched, unzoomButton, left0, width0, CHARACTER = 7.08;
function init() {
  details = document.getElementById('details').firstChild;
  searchButton = document.getElementById('search');
  matched = document.getElementById('matched');
  unzoomButton = document.getElementById('unzoom');
  var group = document.getElementById('frames');
  left0 = Number(group.getAttribute('fg:x'));
  width0 = Number(group.getAttribute('fg:w'));
  frames = Array.prototype.map.call(group.children, function (g) {
    var rect = g.querySelector('rect');
    var title = g.querySelector('title').textContent;
    return { g: g, rect: rect, text: g.querySelector('text'), pins: g.querySelectorAll('.pin,.pin-number'), title: title,
      name: title.replace(/ \\([^()]*(\\([^()]*\\))?[^()]*\\)$/, ''), fill: rect.getAttribute('fill'),
      x: Number(rect.getAttribute('fg:x')), w: Number(rect.getAttribute('fg:w')), y: Number(rect.getAttribute('y')) };
  });
  frames.forEach(function (frame) {
    frame.g.addEventListener('click', function () { zoom(frame); });
    frame.g.addEventListener('mouseover', function () { details.nodeValue = frame.title; });
    frame.g.addEventListener('mouseout', function () { details.nodeValue = ' '; });
  });
  unzoomButton.addEventListener('click', function () { zoom(root()); });
  searchButton.addEventListener('click', askSearch);
  window.addEventListener('keydown', function (event) {
    if (event.keyCode === 114 || (event.ctrlKey && event.keyCode === 70)) { event.preventDefault(); askSearch(); }
  });
}
function root() { return frames.reduce(function (best, frame) { return frame.w > best.w ? frame : best; }); }
function isAncestor(frame, of) { return frame.x <= of.x && frame.x + frame.w >= of.x + of.w && frame !== of && depth(frame) < depth(of); }
function depth(frame) { return Math.abs(frame.y - root().y); }
function zoom(to) {
  var scale = to.w === 0 ? 0 : width0 / to.w, whole = to === root();
  unzoomButton.setAttribute('class', whole ? 'hide' : '');
  frames.forEach(function (frame) {
    var above = isAncestor(frame, to);
    var inside = above || (frame.x >= to.x && frame.x + frame.w <= to.x + to.w * (1 + 1e-9) && depth(frame) >= depth(to));
    frame.g.setAttribute('class', inside ? (above ? 'parent' : '') : 'hide');
    if (!inside) return;
    var x = above ? left0 : left0 + (frame.x - to.x) * scale, width = above ? width0 : frame.w * scale;
    frame.rect.setAttribute('x', x);
    frame.rect.setAttribute('width', width);
    frame.text.setAttribute('x', x + 3);
    var room = Math.floor((width - 6 - frame.pins.length * 7) / CHARACTER);
    frame.text.textContent = room < 3 ? '' : frame.name.length <= room ? frame.name : frame.name.slice(0, room - 2) + '..';
    Array.prototype.forEach.call(frame.pins, function (pin, place) {
      pin.setAttribute(pin.tagName === 'circle' ? 'cx' : 'x', x + width - 8 - Math.floor(place / 2) * 14);
    });
  });
}
function askSearch() {
  if (searchButton.getAttribute('class') === 'show') return showMatches(null);
  var text = window.prompt('Enter a search term (regular expression)', '');
  if (!text) return;
  try { showMatches(new RegExp(text, 'i')); } catch (error) { matched.textContent = 'Invalid regular expression'; }
}
function showMatches(pattern) {
  var total = root().w, spans = [];
  searchButton.setAttribute('class', pattern === null ? '' : 'show');
  searchButton.textContent = pattern === null ? 'Search' : 'Reset search';
  frames.forEach(function (frame) {
    var hit = pattern !== null && pattern.test(frame.name);
    frame.rect.setAttribute('fill', hit ? '#e600e6' : frame.fill);
    if (hit) spans.push([frame.x, frame.x + frame.w]);
  });
  spans.sort(function (a, b) { return a[0] - b[0]; });
  var sum = 0, end = -Infinity;
  spans.forEach(function (span) { if (span[1] > end) { sum += span[1] - Math.max(span[0], end); end = span[1]; } });
  matched.textContent = pattern === null || total === 0 ? ' ' : 'Matched: ' + (100 * sum / total).toFixed(1) + '%';
}
`;
